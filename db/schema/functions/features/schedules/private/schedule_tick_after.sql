create or replace function tasker.schedule_tick_after(p_schedule tasker.schedules, p_after timestamptz)
  returns timestamptz
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if p_schedule.cron is not null then
    return tasker.cron_next(p_schedule.cron, p_schedule.timezone, p_after);
  end if;
  return p_schedule.anchor_at + make_interval(
    secs => (floor(extract(epoch from p_after - p_schedule.anchor_at) / p_schedule.every_seconds) + 1) * p_schedule.every_seconds
  );
end;
$$;

comment on function tasker.schedule_tick_after is
$$Returns the first tick after an instant, as if the schedule had neither start nor end. An interval is in elapsed seconds, and is not affected by the time zone.$$;
