create or replace function tasker.log_task_start(p_task_uuids uuid[], p_has_steps boolean)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
begin
  insert into tasker.task_transition_log (task_uuid, sort_key, event, from_state, to_state, created_at)
  select
    u.task_uuid,
    d.sort_key,
    d.event,
    d.from_state::tasker.task_state,
    d.to_state::tasker.task_state,
    tasker.clock()
  from unnest(p_task_uuids) as u (task_uuid)
  cross join (values
    (true, 1, 'Start', 'pending', 'initializing'),
    (true, 2, 'ReadyStepsFound', 'initializing', 'enqueuing_steps'),
    (true, 3, 'StepsEnqueued', 'enqueuing_steps', 'steps_in_process'),
    (false, 1, 'Start', 'pending', 'initializing'),
    (false, 2, 'NoStepsFound', 'initializing', 'complete')
  ) as d (has_steps, sort_key, event, from_state, to_state)
  where d.has_steps = p_has_steps;
end;
$$;

comment on function tasker.log_task_start(uuid[], boolean) is
$$Logs the transitions of new tasks that start at once: to steps_in_process, or without steps to complete.$$;

revoke all on function tasker.log_task_start(uuid[], boolean) from public;
