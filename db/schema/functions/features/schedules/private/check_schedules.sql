create or replace function tasker.check_schedules(p_limit integer default 100)
  returns integer
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_now      timestamptz := tasker.write_clock();
  v_schedule tasker.schedules;
  v_next     timestamptz;
  v_error    text;
  v_ahead    integer := 0;
begin
  -- First take the schedules whose last check lies in the future (the clock was ahead then), then the schedules whose last check is
  -- longest ago.
  for v_schedule in
    select s.*
      from tasker.schedules as s
     where s.schedule_uuid = any (
             array(select a.schedule_uuid from tasker.schedules as a where a.checked_at > v_now order by a.checked_at desc limit p_limit)
             || array(select a.schedule_uuid from tasker.schedules as a where a.checked_at <= v_now order by a.checked_at limit p_limit)
           )
     order by s.checked_at > v_now desc, s.checked_at
     limit p_limit
       for no key update skip locked
  loop
    -- Read the clock again after the lock, because a claim that fired a tick meanwhile has read a later time.
    v_now := tasker.write_clock();
    v_ahead := v_ahead + (v_schedule.checked_at > v_now)::integer;
    v_error := null;
    begin
      v_next := tasker.schedule_next_tick(v_schedule, v_now);
    exception when others then
      -- Keep the error in the schedule, as fire_schedule does. An example is a time zone that no longer exists.
      v_error := format('%s: %s', sqlstate, left(sqlerrm, 1000));
    end;
    if v_error is not null then
      v_schedule.last_error := v_error;
    elsif v_next < v_schedule.next_tick_at or v_schedule.next_tick_at is null then
      v_schedule.next_tick_at := v_next;
    end if;
    v_schedule.last_error_at := least(v_schedule.last_error_at, v_now);
    perform tasker.write_schedule(v_schedule);
  end loop;
  return v_ahead;
end;
$$;

comment on function tasker.check_schedules is
$$Computes the next ticks of at most p_limit schedules again, and moves them back if they are too far ahead, because the clock was put back or the rules of a time zone have changed. Skips locked schedules. A tick that fires again finds its task by its identity. Returns the number of schedules that had been checked by a clock that was ahead.$$;
