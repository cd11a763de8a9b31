create or replace function tasker.task_can_complete(p_task_uuid uuid)
  returns boolean
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
declare
  v_holds boolean;
begin
  perform tasker.check_bound(p_task_uuid);
  select t.open_steps = 0 and t.failed_steps = 0
    into v_holds
    from tasker.tasks as t
   where t.task_uuid = p_task_uuid;

  if not found then
    perform tasker.raise_task_not_found(p_task_uuid);
  end if;
  return v_holds;
end;
$$;

comment on function tasker.task_can_complete is
$$Returns true if all steps of a task are done, by the task's counters.

This function is a guard of transition_task_state_atomic. Raises TK404 if there is no such task, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.task_can_complete
  to tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
