create or replace function tasker.step_has_attempts_left(p_step_uuid uuid)
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
  select s.retryable and s.attempts < s.max_attempts
    from tasker.guarded_step(p_step_uuid) as s;
end;

comment on function tasker.step_has_attempts_left is
$$Returns true if a step has attempts left and may be retried after a failure.

This function is a guard of transition_step_state_atomic. Raises TK404 if there is no such step, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.step_has_attempts_left
  to tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
