create or replace function tasker.describe_feed_events(p_window_no bigint, p_finds tasker.feed_finds[], p_first uuid, p_last uuid)
  returns setof tasker.feed_events
  language plpgsql
  stable
  set enable_hashjoin = on
as $$
begin
  return query
  -- The callers of this function have hash joins off. Without a hash join each of a thousand events would be compared
  -- with all tasks and steps. The joined sets are in memory, so a hash join is right at any size. The query reads tables
  -- only by key, in lateral subqueries with a limit or an offset, which no hash join can replace; internal/tests/plantest
  -- ensures this.
  with keys as materialized (
    select f.task_uuid, array_agg(f.step_no) as step_nos
      from unnest(p_finds) as f
     group by f.task_uuid
  ),
  tasks as materialized (
    select u.task_uuid, u.step_nos, t.correlation_id, t.initiator, t.reason, t.requested_at, n.namespace, n.name, n.version
      from keys as u
     cross join lateral (
       select t.named_task_uuid, t.correlation_id, t.initiator, t.reason, t.requested_at
         from tasker.tasks as t
        where t.task_uuid = u.task_uuid
          and t.task_uuid between p_first and p_last
        limit 1
     ) as t
     cross join lateral (
       select n.name as namespace, k.name, k.version
         from tasker.named_tasks as k
         join tasker.task_namespaces as n
           on n.task_namespace_uuid = k.task_namespace_uuid
        where k.named_task_uuid = t.named_task_uuid
       offset 0
     ) as n
  ),
  logs as materialized (
    select t.*, 0 as step_no, null::uuid as workflow_step_uuid, null as step_name
      from tasks as t
    union all
    select t.*, w.step_no, w.workflow_step_uuid, w.name
      from tasks as t
     cross join lateral (
       select w.step_no, w.workflow_step_uuid, w.name
         from tasker.workflow_steps as w
        where w.task_uuid = t.task_uuid
          and w.step_no = any (t.step_nos)
          and w.task_uuid between p_first and p_last
       offset 0
     ) as w
  )
  select
    concat_ws(
      ' ', p_window_no, encode(timestamptz_send(f.created_at), 'hex'), f.task_uuid, f.step_no, f.sort_key
    ),
    tasker.transition_uuid(f.task_uuid, f.step_no, f.sort_key),
    case when f.step_no = 0 then 'task' else 'step' end,
    f.event,
    case when f.sort_key = 0 then t.requested_at else f.created_at end,
    t.namespace, t.name, t.version, f.task_uuid, t.correlation_id, t.workflow_step_uuid, t.step_name, f.sort_key,
    coalesce(f.step_from::text, f.task_from::text), coalesce(f.step_to::text, f.task_to::text), f.claim_no, f.execution_time_ms,
    f.worker_uuid,
    case when f.sort_key = 0 then t.initiator else f.actor end,
    case when f.sort_key = 0 then t.reason else f.reason end,
    coalesce(f.metadata, '{}')
  from unnest(p_finds) with ordinality as f (
    created_at, task_uuid, step_no, sort_key, event, step_from, step_to, task_from, task_to, claim_no, execution_time_ms,
    worker_uuid, actor, reason, metadata, has_more, no
  )
  join logs as t
    on t.task_uuid = f.task_uuid
   and t.step_no = f.step_no
  order by f.no;
end;
$$;

comment on function tasker.describe_feed_events is
$$Returns events of a window in the form that subscribers get, with the data of their tasks and steps, in the order of p_finds. The tasks of the events lie between p_first and p_last. Events whose partition was dropped are left out.$$;
