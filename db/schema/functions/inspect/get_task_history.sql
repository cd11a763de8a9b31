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
  -- Which rows, from the logs alone; what they refer to is read for those.
  with shown as materialized (
    select r.occurred_at, r.turn, r.step_no, r.sort_key
      from (
        select
          l.created_at as occurred_at,
          -- Among rows of the same instant, a task starts before its steps and is evaluated after them.
          case when l.event in ('Start', 'Reset', 'RetryReady') then 0 else 2 end as turn,
          null::integer as step_no, l.sort_key
        from tasker.task_transition_log as l
        where l.task_uuid = p_task_uuid
        union all
        select l.created_at, 1, l.step_no, l.sort_key
        from tasker.workflow_step_transition_log as l
        where l.task_uuid = p_task_uuid
      ) as r
     order by r.occurred_at, r.turn, r.step_no, r.sort_key
     limit p_limit
  )
  select
    h.occurred_at, h.step_no, d.step_name, d.event, d.from_state, d.to_state, d.claim_no, d.worker_uuid, w.name,
    d.processor_uuid, d.actor, d.caller[1], d.caller[2], d.reason, d.execution_time_ms, d.metadata ->> 'error', d.metadata,
    tasker.event_sentence(
      d.step_name, d.event, d.from_state, d.to_state, coalesce(w.name, d.worker_uuid::text), d.actor,
      -- What failed for good has its own line.
      coalesce(case when d.event <> 'PermanentFailure' then d.metadata ->> 'error' end, d.reason), d.execution_time_ms
    )
  from shown as h
  cross join lateral (
    select
      null::text as step_name, l.event, l.from_state::text, l.to_state::text, null::integer as claim_no,
      null::uuid as worker_uuid, l.processor_uuid, l.actor, tasker.task_caller(l.task_uuid, l.sort_key) as caller,
      l.reason, null::bigint as execution_time_ms, l.metadata
    from tasker.task_transition_log as l
    where h.step_no is null
      and l.task_uuid = p_task_uuid
      and l.sort_key = h.sort_key
    union all
    select
      s.name, l.event, l.from_state::text, l.to_state::text, l.claim_no, l.worker_uuid, null, l.actor,
      tasker.step_caller(l.task_uuid, l.step_no, l.sort_key), l.reason, l.execution_time_ms, l.metadata
    from tasker.workflow_step_transition_log as l
    join tasker.workflow_steps as s
      on s.task_uuid = p_task_uuid
     and s.step_no = h.step_no
    where l.task_uuid = p_task_uuid
      and l.step_no = h.step_no
      and l.sort_key = h.sort_key
  ) as d
  left join tasker.workers as w
    on w.worker_uuid = d.worker_uuid
  order by h.occurred_at, h.turn, h.step_no, h.sort_key;
end;
$$;

comment on function tasker.get_task_history(uuid, integer) is
$$Returns the history of a task: every transition of the task and of its steps in order of time, each with a sentence that describes it.

Raises TK404 if there is no such task, TK422 for a limit out of range, TK403 if the caller is bound to other namespaces.$$;

revoke all on function tasker.get_task_history(uuid, integer) from public;
grant execute on function tasker.get_task_history(uuid, integer)
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
