create or replace function tasker.get_step_readiness_status_batch(p_task_uuids uuid[])
  returns setof tasker.step_readiness_status
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
begin
  perform tasker.check_array_size('tasks', cardinality(p_task_uuids), 10000);
  perform tasker.check_bound_steps(p_task_uuids);
  return query
  select r.*
    from (select distinct u.task_uuid from unnest(p_task_uuids) as u (task_uuid)) as u
    join tasker.step_readiness() as r
      on r.task_uuid = u.task_uuid
   order by r.workflow_step_uuid;
end;
$$;

comment on function tasker.get_step_readiness_status_batch is
$$Returns the rows of get_step_readiness_status for all steps of several tasks, in the order of tasks, then of step numbers.

Returns the rows of a task only once, even if p_task_uuids has the task twice. Returns no rows for a task that does not exist. Raises TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.get_step_readiness_status_batch
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
