create or replace function tasker.describe_feed_keys(p_window_no bigint, p_keys tasker.feed_keys[])
  returns setof tasker.feed_events
  language plpgsql
  stable
as $$
declare
  v_first uuid;
  v_last  uuid;
begin
  select (array_agg(k.task_uuid order by k.task_uuid))[1], (array_agg(k.task_uuid order by k.task_uuid desc))[1]
    into v_first, v_last
    from unnest(p_keys) as k;
  return query
  with logs as (
    select
      k.task_uuid, k.step_no, array_agg(k.sort_key) as sort_keys, array_agg(k.no) as nos, min(k.sort_key) as first_key,
      max(k.sort_key) as last_key, min(k.created_at) filter (where k.sort_key = 0) as made_at
      from unnest(p_keys) with ordinality as k (created_at, task_uuid, step_no, sort_key, no)
     group by k.task_uuid, k.step_no
  ),
  -- Once for all transitions of a step.
  heads as materialized (
    select
      g.*, t.correlation_id, t.initiator, t.reason, t.requested_at, n.namespace, n.name, n.version, w.workflow_step_uuid,
      w.name as step_name
      from logs as g
     cross join lateral (
       select t.named_task_uuid, t.correlation_id, t.initiator, t.reason, t.requested_at
         from tasker.tasks as t
        where t.task_uuid = g.task_uuid
          and t.task_uuid between v_first and v_last
       offset 0
     ) as t
     cross join lateral (
       select n.name as namespace, k.name, k.version
         from tasker.named_tasks as k
         join tasker.task_namespaces as n
           on n.task_namespace_uuid = k.task_namespace_uuid
        where k.named_task_uuid = t.named_task_uuid
       offset 0
     ) as n
      left join lateral (
        select w.workflow_step_uuid, w.name
          from tasker.workflow_steps as w
         where g.step_no > 0
           and w.task_uuid = g.task_uuid
           and w.step_no = g.step_no
           and w.task_uuid between v_first and v_last
        offset 0
      ) as w on true
  )
  select
    concat_ws(
      ' ', p_window_no, encode(timestamptz_send(l.created_at), 'hex'), g.task_uuid, g.step_no, l.sort_key
    ),
    tasker.uuid_of_digest(d.digest),
    case when g.step_no = 0 then 'task' else 'step' end,
    l.event,
    case when l.sort_key = 0 then g.requested_at else l.created_at end,
    g.namespace, g.name, g.version, g.task_uuid, g.correlation_id, g.workflow_step_uuid, g.step_name, l.sort_key,
    l.from_state, l.to_state, l.claim_no, l.execution_time_ms, l.worker_uuid,
    case when l.sort_key = 0 then g.initiator else l.actor end,
    case when l.sort_key = 0 then g.reason else l.reason end,
    coalesce(l.metadata, '{}')
  from heads as g
  cross join lateral (
    select
      l.sort_key, l.event, l.from_state::text as from_state, l.to_state::text as to_state, l.claim_no, l.execution_time_ms,
      l.worker_uuid, l.actor, l.reason, l.metadata, l.created_at
      from tasker.workflow_step_transition_log as l
     where g.step_no > 0
       and l.task_uuid = g.task_uuid
       and l.step_no = g.step_no
       and l.sort_key between g.first_key and g.last_key
       and l.sort_key = any (g.sort_keys)
       and l.task_uuid between v_first and v_last
    union all
    select
      l.sort_key, l.event, l.from_state::text, l.to_state::text, null, null,
      l.processor_uuid, l.actor, l.reason, l.metadata, l.created_at
      from tasker.task_transition_log as l
     where g.step_no = 0
       and l.task_uuid = g.task_uuid
       and l.sort_key between g.first_key and g.last_key
       and l.sort_key = any (g.sort_keys)
       and l.task_uuid between v_first and v_last
    union all
    select 0, 'Create', null, 'pending', null, null, null, null, null, null, g.made_at
     where g.made_at is not null
    offset 0
  ) as l
  cross join lateral (
    select sha256(uuid_send(g.task_uuid) || int4send(g.step_no) || int4send(l.sort_key))
    offset 0
  ) as d (digest)
  order by g.nos[array_position(g.sort_keys, l.sort_key)];
end;
$$;

comment on function tasker.describe_feed_keys(bigint, tasker.feed_keys[]) is
$$Events of a window as subscribers get them, looked up by key, in the order of p_keys. Those whose partition was dropped are missing.$$;

revoke all on function tasker.describe_feed_keys(bigint, tasker.feed_keys[]) from public;
