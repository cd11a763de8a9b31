create or replace function tasker.step_can_be_enqueued_for_orchestration(p_step_uuid uuid)
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
  select s.state = 'in_progress'
    from tasker.guarded_step(p_step_uuid) as s;
end;

comment on function tasker.step_can_be_enqueued_for_orchestration is
$$Returns true if a worker runs the step and may record its result or failure.

This function is for clients. The engine does not call it, because its state machine already checks this condition. Raises TK404 if there is no such step, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.step_can_be_enqueued_for_orchestration
  to tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
