create or replace function tasker.schedule_tick_due_at(p_schedule tasker.schedules, p_tick timestamptz)
  returns timestamptz
  language sql
  immutable
begin atomic
  select p_tick + make_interval(
    secs => case
      when p_schedule.jitter_seconds = 0 then 0
      else mod(abs(hashtextextended(p_schedule.schedule_uuid::text, extract(epoch from p_tick)::bigint)::numeric), p_schedule.jitter_seconds * 1000)
           ::double precision / 1000
    end
  );
end;

comment on function tasker.schedule_tick_due_at is
$$Returns the time when a tick is due: the tick plus a delay below jitter_seconds. The delay depends only on the schedule and the tick, so that every session computes the same time.$$;
