create or replace function tasker.get_current_step_transition(p_step_uuid uuid)
  returns setof tasker.task_events
  language plpgsql
  stable
  rows 1
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
  perform tasker.check_bound(p_step_uuid);
  perform tasker.check_step_exists(p_step_uuid);
  return query
  select
    l.created_at, l.step_no, s.name, l.event, l.from_state::text, l.to_state::text, l.claim_no, l.worker_uuid, w.name::text,
    null::uuid, l.actor, c.caller[1], c.caller[2], l.reason, l.execution_time_ms, l.metadata ->> 'error', l.metadata,
    tasker.event_sentence(
      s.name, l.event, l.from_state::text, l.to_state::text, coalesce(w.name, l.worker_uuid::text), l.actor,
      coalesce(l.metadata ->> 'error', l.reason), l.execution_time_ms
    ),
    l.sort_key
  from tasker.workflow_steps as s
  cross join lateral (
    select l.*
      from tasker.workflow_step_transition_log as l
     where l.task_uuid = s.task_uuid
       and l.step_no = s.step_no
       and l.row_key = s.transition_count
       and l.sort_key = s.transition_count
    offset 0
  ) as l
  cross join lateral (
    select tasker.step_caller(l.task_uuid, l.step_no, l.row_key) as caller
  ) as c
  left join tasker.workers as w
    on w.worker_uuid = l.worker_uuid
  where s.task_uuid = tasker.task_uuid_of(p_step_uuid)
    and s.step_no = tasker.step_no_of(p_step_uuid);
end;
$$;

comment on function tasker.get_current_step_transition is
$$Returns the transition that brought a step to its present state, as get_step_history returns it. Returns no row if the
step has made no transition since its creation. Reads one row, even of a long history.

Raises TK404 if there is no such step, and TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.get_current_step_transition
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
