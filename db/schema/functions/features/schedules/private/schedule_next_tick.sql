create or replace function tasker.schedule_next_tick(p_schedule tasker.schedules, p_after timestamptz)
  returns timestamptz
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  -- A tick exactly at the start counts, too.
  v_after timestamptz := greatest(p_after, p_schedule.starts_at - interval '1 microsecond');
  v_tick  timestamptz;
begin
  if v_after >= p_schedule.ends_at then
    return null;
  end if;
  v_tick := tasker.schedule_tick_after(p_schedule, v_after);
  return case when v_tick > p_schedule.ends_at then null else v_tick end;
end;
$$;

comment on function tasker.schedule_next_tick is
$$Returns the first tick of a schedule after an instant, between the schedule's start and end, or null if there is no such tick.$$;
