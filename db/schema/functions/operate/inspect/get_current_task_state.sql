create or replace function tasker.get_current_task_state(p_task_uuid uuid)
  returns tasker.task_state
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
  v_state tasker.task_state;
begin
  perform tasker.check_bound(p_task_uuid);
  select t.state
    into v_state
    from tasker.tasks as t
   where t.task_uuid = p_task_uuid;

  if not found then
    perform tasker.raise_task_not_found(p_task_uuid);
  end if;
  return v_state;
end;
$$;

comment on function tasker.get_current_task_state is
$$Returns the state of a task. The cost is one probe of the task's row, and does not depend on the length of its
history. Raises TK404 if there is no such task, and TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.get_current_task_state
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
