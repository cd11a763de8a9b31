create or replace function tasker.get_task_ready_info(p_task_uuid uuid)
  returns setof tasker.ready_tasks
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
    from tasker.task_readiness() as r
   where r.task_uuid = p_task_uuid;

  if not found then
    perform tasker.raise_task_not_found(p_task_uuid);
  end if;
end;
$$;

comment on function tasker.get_task_ready_info is
$$Returns the row that get_next_ready_tasks would return for a task, even if the task is not ready. Does not hand the task out. Raises TK404 if the task does not exist, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.get_task_ready_info to tasker_orchestrator, tasker_operator, tasker_reader;
