create or replace function tasker.describe_audits(p_audits tasker.workflow_step_result_audit[])
  returns setof tasker.step_audits
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
begin
  return query
  select
    a.task_uuid, tasker.step_uuid(a.task_uuid, a.step_no), a.step_no, a.sort_key,
    tasker.transition_uuid(a.task_uuid, a.step_no, a.sort_key), a.recorded_at,
    n.name, k.name, s.name, h.name, a.event, a.from_state, a.to_state, a.success, a.execution_time_ms,
    l.claim_no, a.worker_uuid, w.name::text, a.correlation_id, l.actor, c.caller[1], c.caller[2], l.reason,
    l.metadata ->> 'error',
    -- Return only the results of this success, not the results of a later success.
    case
      when not a.success then null
      when r.sort_key is not null then r.metadata -> 'replaced'
      when l.result_digest is null or l.result_digest = tasker.result_digest(s.results) then s.results
    end,
    r.created_at, r.actor, r.reason
  from unnest(p_audits) with ordinality as a
  cross join lateral (
    select l.*
      from tasker.step_log as l
     where l.task_uuid = a.task_uuid
       and l.step_no = a.step_no
       and l.sort_key = a.row_key
    offset 0
  ) as l
  left join lateral (
    -- The transition with which the step lost this result, if no other result was recorded before it.
    select r.sort_key, r.path, r.metadata, r.created_at, r.actor, r.reason
      from tasker.step_log as r
     where a.success
       and r.task_uuid = a.task_uuid
       and r.step_no = a.step_no
       and r.sort_key > a.row_key
       and (r.path in (select u.path from tasker.step_log_paths as u where u.event = 'Rerun') or r.result_digest is not null)
     order by r.sort_key
     limit 1
  ) as r
    on r.path in (select u.path from tasker.step_log_paths as u where u.event = 'Rerun')
  cross join lateral (select tasker.step_caller(a.task_uuid, a.step_no, a.row_key) as caller) as c
  cross join lateral (
    select s.name, s.named_step_uuid, s.results
      from tasker.workflow_steps as s
     where s.task_uuid = a.task_uuid
       and s.step_no = a.step_no
    offset 0
  ) as s
  cross join lateral (
    select t.named_task_uuid
      from tasker.tasks as t
     where t.task_uuid = a.task_uuid
    offset 0
  ) as t
  join tasker.named_tasks as k
    on k.named_task_uuid = t.named_task_uuid
  join tasker.task_namespaces as n
    on n.task_namespace_uuid = k.task_namespace_uuid
  join tasker.named_steps as h
    on h.named_step_uuid = s.named_step_uuid
  left join tasker.workers as w
    on w.worker_uuid = a.worker_uuid
  order by a.ordinality;
end;
$$;

comment on function tasker.describe_audits is
$$Returns audit rows in the given order with the data that they refer to. If a result was replaced later, its row says
who replaced it and why.$$;
