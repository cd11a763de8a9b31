create or replace function tasker.get_current_step_state(p_step_uuid uuid)
  returns tasker.step_state
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
  v_state tasker.step_state;
begin
  perform tasker.check_bound(p_step_uuid);
  select s.state
    into v_state
    from tasker.workflow_steps as s
   where s.task_uuid = tasker.task_uuid_of(p_step_uuid)
     and s.step_no = tasker.step_no_of(p_step_uuid);

  if not found then
    perform tasker.raise_step_not_found(p_step_uuid);
  end if;
  return v_state;
end;
$$;

comment on function tasker.get_current_step_state is
$$Returns the state of a step. The cost is one probe of the step's row, and does not depend on the length of its
history. Raises TK404 if there is no such step, and TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.get_current_step_state
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
