create or replace function tasker.step_dependencies_met(p_step_uuid uuid)
  returns boolean
  language sql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
begin atomic
  select tasker.join_holds(s.join_mode, s.total_parents, s.pending_parents, s.satisfied_parents)
    from tasker.guarded_step(p_step_uuid) as s;
end;

comment on function tasker.step_dependencies_met is
$$Returns true if all parents of a step have settled and its join is satisfied, by the engine's counters.

This function is a guard of transition_step_state_atomic. Raises TK404 if there is no such step, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.step_dependencies_met
  to tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
