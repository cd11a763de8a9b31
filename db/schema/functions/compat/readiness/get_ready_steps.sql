create or replace function tasker.get_ready_steps(p_task_uuid uuid)
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
  perform tasker.check_bound(p_task_uuid);
  return query
  select r.*
    from tasker.step_readiness() as r
   where r.task_uuid = p_task_uuid
     and r.ready_for_execution
   order by r.workflow_step_uuid;

  if not found then
    perform tasker.check_task_exists(p_task_uuid);
  end if;
end;
$$;

comment on function tasker.get_ready_steps is
$$Returns all steps of a task that may run now, in the order of step numbers.

Raises TK404 if the task does not exist, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.get_ready_steps
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
