create or replace function tasklib.submit_tick(
  p_schedule  tasklib.schedules,
  p_tick      timestamptz
)
  returns uuid
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
  v_id uuid;
begin
  select s.id
    into strict v_id
    from tasklib.submit_task(
           p_schedule.name, p_schedule.kwargs, 0, p_schedule.priority, p_schedule.max_retries, p_schedule.timeout_seconds,
           p_schedule.tags || jsonb_build_object('schedule', p_schedule.schedule, 'tick', p_tick)
         ) as s;
  update tasklib.tasks as t
     set submitted_by = p_schedule.created_by
   where t.id = v_id;
  return v_id;
end;
$$;

comment on function tasklib.submit_tick is
$$Submits the task of one tick of a schedule and returns the task's id. The role that created the schedule counts as the submitter.$$;
