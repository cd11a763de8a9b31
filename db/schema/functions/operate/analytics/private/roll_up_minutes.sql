create or replace function tasker.roll_up_minutes(p_since timestamptz)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
  set timezone = 'UTC'
as $$
begin
  perform tasker.roll_up_tasks(p_since);
  perform tasker.roll_up_steps(p_since);
  -- Sum up the rows of the other two tables.
  perform tasker.roll_up_work(p_since);
end;
$$;

comment on function tasker.roll_up_minutes is
$$Counts the minutes from p_since on again: tasks that started or ended, and results of steps, with their durations.$$;
