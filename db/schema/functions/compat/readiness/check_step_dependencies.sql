create or replace function tasker.check_step_dependencies(p_step_uuid uuid)
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
  v_satisfied boolean;
begin
  perform tasker.check_bound(p_step_uuid);
  select r.dependencies_satisfied
    into v_satisfied
    from tasker.step_readiness() as r
   where r.task_uuid = tasker.task_uuid_of(p_step_uuid)
     and r.workflow_step_uuid = p_step_uuid;

  if not found then
    perform tasker.raise_step_not_found(p_step_uuid);
  end if;
  return v_satisfied;
end;
$$;

comment on function tasker.check_step_dependencies is
$$Returns true if all parents of a step have settled and its join is satisfied. Reads the states of the parents.

The function tasker.step_dependencies_met computes the same from the engine's counters. Raises TK404 if the step does not exist, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.check_step_dependencies
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
