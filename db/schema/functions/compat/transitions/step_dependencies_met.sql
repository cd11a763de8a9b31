create or replace function tasker.step_dependencies_met(p_step_uuid uuid)
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
  perform tasker.check_bound(p_step_uuid);
  select tasker.join_holds(s.join_mode, s.total_parents, s.pending_parents, s.satisfied_parents)
    into v_holds
    from tasker.workflow_steps as s
   where s.task_uuid = tasker.task_uuid_of(p_step_uuid)
     and s.step_no = tasker.step_no_of(p_step_uuid);

  if not found then
    perform tasker.raise_step_not_found(p_step_uuid);
  end if;
  return v_holds;
end;
$$;

comment on function tasker.step_dependencies_met is
$$Returns true if a step's parents have all settled and its join is satisfied.

A guard of transition_step_state_atomic. Raises TK404 if there is no such step, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.step_dependencies_met
  to tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
