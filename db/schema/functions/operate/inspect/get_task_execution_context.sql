create or replace function tasker.get_task_execution_context(p_task_uuid uuid)
  returns setof tasker.task_execution_contexts
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
  select c.*
    from tasker.task_contexts() as c
   where c.task_uuid = p_task_uuid;

  if not found then
    perform tasker.raise_task_not_found(p_task_uuid);
  end if;
end;
$$;

comment on function tasker.get_task_execution_context is
$$Returns the progress of a task and the next action: how many steps are in each state, how many steps may be enqueued
now, the execution status, the recommended action and the health.

If one branch has failed, the status still says that another branch continues. Raises TK404 if there is no such task,
and TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.get_task_execution_context
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
