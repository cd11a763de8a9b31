create or replace function tasker.explain_step(p_step_uuid uuid)
  returns setof tasker.step_explanations
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
  v_task    uuid    := tasker.task_uuid_of(p_step_uuid);
  v_step_no integer := tasker.step_no_of(p_step_uuid);
  v_step    tasker.step_explanations;
  v_parents jsonb;
  v_failed  jsonb;
begin
  perform tasker.check_bound(p_step_uuid);
  v_step := tasker.explained_step(p_step_uuid);
  v_parents := tasker.describe_parents(v_task, v_step_no);
  v_step.waiting_for := v_parents -> 'waiting_for';
  v_step.unsatisfied := v_parents -> 'unsatisfied';
  v_failed := tasker.describe_failures_above(p_step_uuid);
  v_step.blocked_by := v_failed -> 'steps';
  v_step.summary := tasker.explain_state(
      v_step, v_step_no, (v_parents ->> 'waiting')::bigint, (v_parents ->> 'refused')::bigint, (v_failed ->> 'count')::bigint
    )
    || coalesce(tasker.explain_sql(v_step.namespace, v_step.handler, v_task, v_step_no, v_step.current_state), '')
    || coalesce(tasker.explain_kept(v_task, v_step_no), '')
    || coalesce(tasker.explain_branch(v_task, v_step_no), '')
    || coalesce(tasker.explain_start_within(v_task, v_step_no), '')
    || coalesce(tasker.explain_undo(v_task, v_step_no), '')
    || coalesce(case when v_step.current_state not in ('complete', 'resolved_manually', 'cancelled', 'in_progress') then tasker.explain_hold(v_task) end, '');
  return next v_step;
end;
$$;

comment on function tasker.explain_step is
$$Explains why a step is not running. Returns one row with the reason in words and as data: the parents that the step
waits for, the time until which it waits, the caller that has paused its namespace, handler or task, the failure that
blocks it, the limit that has no place for it, and the role that moved it last.

The cost is linear in the number of edges above the step. Raises TK404 if the step does not exist, and TK403 if the
caller is bound to other namespaces.$$;

grant execute on function tasker.explain_step
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
