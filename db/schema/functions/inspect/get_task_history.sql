create or replace function tasker.get_task_history(p_task_uuid uuid, p_limit integer default 1000)
  returns setof tasker.task_events
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
begin
  perform tasker.check_bound(p_task_uuid);
  perform tasker.check_limit(p_limit, 100000);
  perform tasker.check_task_exists(p_task_uuid);

  return query
  select
    h.occurred_at, h.step_no, h.step_name, h.event, h.from_state, h.to_state, h.claim_no, h.worker_uuid, w.name,
    h.processor_uuid, h.actor, h.caller[1], h.caller[2], h.reason, h.execution_time_ms, h.metadata ->> 'error', h.metadata,
    tasker.event_sentence(
      h.step_name, h.event, h.from_state, h.to_state, coalesce(w.name, h.worker_uuid::text), h.actor,
      -- What failed for good has its own line.
      coalesce(case when h.event <> 'PermanentFailure' then h.metadata ->> 'error' end, h.reason), h.execution_time_ms
    )
  from (
    select
      l.created_at as occurred_at, null::integer as step_no, null::text as step_name, l.event,
      l.from_state::text, l.to_state::text, null::integer as claim_no, null::uuid as worker_uuid, l.processor_uuid,
      l.actor, l.reason, null::bigint as execution_time_ms, l.metadata, l.sort_key, tasker.task_caller(l.task_uuid, l.sort_key) as caller,
      -- Among rows of the same instant, a task starts before its steps and is evaluated after them.
      case when l.event in ('Start', 'Reset', 'RetryReady') then 0 else 2 end as turn
    from tasker.task_transition_log as l
    where l.task_uuid = p_task_uuid
    union all
    select
      l.created_at, l.step_no, s.name, l.event, l.from_state::text, l.to_state::text, l.claim_no, l.worker_uuid, null,
      l.actor, l.reason, l.execution_time_ms, l.metadata, l.sort_key,
      tasker.step_caller(l.task_uuid, l.step_no, l.sort_key), 1
    from tasker.workflow_step_transition_log as l
    cross join lateral (
      select s.name
        from tasker.workflow_steps as s
       where s.task_uuid = l.task_uuid
         and s.step_no = l.step_no
      offset 0
    ) as s
    where l.task_uuid = p_task_uuid
  ) as h
  left join tasker.workers as w
    on w.worker_uuid = h.worker_uuid
  order by h.occurred_at, h.turn, h.step_no, h.sort_key
  limit p_limit;
end;
$$;

comment on function tasker.get_task_history(uuid, integer) is
$$Returns the history of a task: every transition of the task and of its steps in order of time, each with a sentence that describes it.

Raises TK404 if there is no such task, TK422 for a limit out of range, TK403 if the caller is bound to other namespaces.$$;

revoke all on function tasker.get_task_history(uuid, integer) from public;
grant execute on function tasker.get_task_history(uuid, integer)
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
