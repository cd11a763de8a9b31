create or replace function tasker.get_task_history(
  p_task_uuid       uuid,
  p_limit           integer  default 1000,
  p_after_step_no   integer  default null,
  p_after_sort_key  integer  default null
)
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
declare
  v_at   timestamptz := '-infinity';
  v_turn integer     := 0;
begin
  p_limit := coalesce(p_limit, 1000);
  perform tasker.check_bound(p_task_uuid);
  perform tasker.check_limit(p_limit, 100000);
  perform tasker.check_task_exists(p_task_uuid);
  if p_after_sort_key is not null and p_after_step_no is null then
    select l.created_at, tasker.history_turn(l.event)
      into v_at, v_turn
      from tasker.task_transition_log as l
     where (l.task_uuid, l.sort_key) = (p_task_uuid, p_after_sort_key)
       and l.row_key between p_after_sort_key and p_after_sort_key::bigint + 4;
  elsif p_after_sort_key is not null then
    select l.created_at, 1
      into v_at, v_turn
      from tasker.workflow_step_transition_log as l
     where (l.task_uuid, l.step_no, l.sort_key) = (p_task_uuid, p_after_step_no, p_after_sort_key)
       and l.row_key between p_after_sort_key and p_after_sort_key::bigint + 1;
  end if;
  if v_at is null then
    perform tasker.raise_no_such_event(p_after_step_no, p_after_sort_key);
  end if;

  return query
  -- Read the logs once. Read the objects that rows refer to only for rows that are returned.
  with shown as materialized (
    select r.*
      from (
        select
          l.created_at as occurred_at, tasker.history_turn(l.event) as turn, null::integer as step_no, l.sort_key, l.row_key,
          l.event, l.from_state::text, l.to_state::text, null::integer as claim_no, null::uuid as worker_uuid,
          l.processor_uuid, l.actor, l.reason, null::bigint as execution_time_ms, l.metadata
        from tasker.task_transition_log as l
        where l.task_uuid = p_task_uuid
          and l.created_at >= v_at
        union all
        select
          l.created_at, 1, l.step_no, l.sort_key, l.row_key,
          l.event, l.from_state::text, l.to_state::text, l.claim_no, l.worker_uuid,
          null, l.actor, l.reason, l.execution_time_ms, l.metadata
        from tasker.workflow_step_transition_log as l
        where l.task_uuid = p_task_uuid
          and l.created_at >= v_at
      ) as r
     where (r.occurred_at, r.turn, coalesce(r.step_no, 0), r.sort_key)
             > (v_at, v_turn, coalesce(p_after_step_no, 0), coalesce(p_after_sort_key, 0))
     order by r.occurred_at, r.turn, r.step_no, r.sort_key
     limit p_limit
  )
  select
    h.occurred_at, h.step_no, d.step_name, h.event, h.from_state, h.to_state, h.claim_no, h.worker_uuid, w.name::text,
    h.processor_uuid, h.actor, d.caller[1], d.caller[2], h.reason, h.execution_time_ms, h.metadata ->> 'error', h.metadata,
    tasker.event_sentence(
      d.step_name, h.event, h.from_state, h.to_state, coalesce(w.name, h.worker_uuid::text), h.actor,
      -- A step that failed for good has a row of its own with the error.
      coalesce(case when h.event <> 'PermanentFailure' then h.metadata ->> 'error' end, h.reason), h.execution_time_ms
    ),
    h.sort_key
  from shown as h
  cross join lateral (
    select null::text as step_name, tasker.task_caller(p_task_uuid, h.row_key) as caller
    where h.step_no is null
    union all
    select s.name, tasker.step_caller(p_task_uuid, h.step_no, h.row_key)
    from tasker.workflow_steps as s
    where s.task_uuid = p_task_uuid
      and s.step_no = h.step_no
  ) as d
  left join tasker.workers as w
    on w.worker_uuid = h.worker_uuid
  order by h.occurred_at, h.turn, h.step_no, h.sort_key;
end;
$$;

comment on function tasker.get_task_history is
$$Returns the history of a task: every transition of the task and of its steps in order of time, each with a sentence
that describes it. For the next page, pass the step number and the sort_key of the last event of this page as
p_after_step_no and p_after_sort_key.

Raises TK404 if there is no such task, TK422 for a limit out of range or if the history has no event with this step
number and sort_key, and TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.get_task_history
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
