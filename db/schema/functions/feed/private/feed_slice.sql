create or replace function tasker.feed_slice(
  p_subscription  tasker.subscriptions,
  p_from          timestamptz,
  p_to            timestamptz,
  p_limit         integer
)
  returns setof tasker.feed_events
  language plpgsql
  stable
as $$
declare
  s       tasker.subscriptions := p_subscription;
  -- What the snapshot does not see is not older than its oldest open transaction: one condition that a BRIN index serves,
  -- which it does not for the two that are joined by "or".
  v_xmin  bigint               := pg_snapshot_xmin(s.snapshot)::text::bigint;
  v_xmax  bigint               := pg_snapshot_xmax(s.snapshot)::text::bigint;
  v_open  bigint[]             := array(select x.xid::text::bigint from pg_snapshot_xip(s.snapshot) as x (xid));
  v_tasks boolean              := 'task' = any (s.kinds);
  v_steps boolean              := 'step' = any (s.kinds);
  v_new   boolean              := v_tasks and (s.events is null or 'Create' = any (s.events));
begin
  return query
  with found as (
    select
      l.task_uuid, l.step_no, l.sort_key, l.event, l.from_state::text as from_state, l.to_state::text as to_state,
      l.claim_no, l.execution_time_ms, l.worker_uuid, l.actor, l.reason, l.metadata, l.created_at
    from tasker.workflow_step_transition_log as l
    where v_steps
      and l.created_at >= p_from
      and l.created_at < p_to
      and l.xact >= v_xmin
      and (l.xact >= v_xmax or l.xact = any (v_open))
      and pg_visible_in_snapshot(l.xact::text::xid8, s.until)
      and (s.events is null or l.event = any (s.events))
    union all
    -- A creation has no row of its own; the first transition tells of it, too.
    select
      l.task_uuid, 0, c.sort_key, c.event, c.from_state, c.to_state,
      null, null, c.processor_uuid, c.actor, c.reason, c.metadata, l.created_at
    from tasker.task_transition_log as l
    cross join lateral (
      select l.sort_key, l.event, l.from_state::text as from_state, l.to_state::text as to_state, l.processor_uuid, l.actor, l.reason, l.metadata
       where s.events is null or l.event = any (s.events)
      union all
      select 0, 'Create', null, 'pending', null, null, null, null
       where v_new and l.sort_key = 1
    ) as c
    where v_tasks
      and l.created_at >= p_from
      and l.created_at < p_to
      and l.xact >= v_xmin
      and (l.xact >= v_xmax or l.xact = any (v_open))
      and pg_visible_in_snapshot(l.xact::text::xid8, s.until)
    union all
    -- And so does the timer of a task that starts later.
    select m.task_uuid, 0, 0, 'Create', null, 'pending', null, null, null, null, null, null, t.requested_at
    from tasker.timers as m
    cross join lateral (
      select t.requested_at
        from tasker.tasks as t
       where t.task_uuid = m.task_uuid
      offset 0
    ) as t
    where v_new
      and m.kind = 'start_task'
      and m.xact >= v_xmin
      and (m.xact >= v_xmax or m.xact = any (v_open))
      and pg_visible_in_snapshot(m.xact::text::xid8, s.until)
      and t.requested_at >= p_from
      and t.requested_at < p_to
  ),
  -- Sorted first, so that only what is returned is looked up.
  sorted as (
    select f.*
      from found as f
     where s.place_task_uuid is null
        or (f.created_at, f.task_uuid, f.step_no, f.sort_key)
           > (s.place_at, s.place_task_uuid, s.place_step_no, s.place_sort_key)
     order by f.created_at, f.task_uuid, f.step_no, f.sort_key
    offset 0
  ),
  kept as (
    select f.*, t.correlation_id, t.initiator, t.creation_reason, t.requested_at, k.namespace, k.name, k.version
      from sorted as f
     cross join lateral (
       select t.named_task_uuid, t.correlation_id, t.initiator, t.reason as creation_reason, t.requested_at
         from tasker.tasks as t
        where t.task_uuid = f.task_uuid
       offset 0
     ) as t
     cross join lateral (
       select n.name as namespace, k.name, k.version
         from tasker.named_tasks as k
         join tasker.task_namespaces as n
           on n.task_namespace_uuid = k.task_namespace_uuid
        where k.named_task_uuid = t.named_task_uuid
       offset 0
     ) as k
     where (s.namespaces is null or k.namespace = any (s.namespaces))
       and (s.templates is null or k.name = any (s.templates))
     limit p_limit
  )
  select
    concat_ws(
      ' ', s.window_no, (extract(epoch from k.created_at) * 1000000)::bigint, k.task_uuid, k.step_no, k.sort_key
    ),
    tasker.transition_uuid(k.task_uuid, k.step_no, k.sort_key),
    case when k.step_no = 0 then 'task' else 'step' end,
    k.event,
    case when k.sort_key = 0 then k.requested_at else k.created_at end,
    k.namespace, k.name, k.version, k.task_uuid, k.correlation_id, w.workflow_step_uuid, w.name, k.sort_key,
    k.from_state, k.to_state, k.claim_no, k.execution_time_ms, k.worker_uuid,
    case when k.sort_key = 0 then k.initiator else k.actor end,
    case when k.sort_key = 0 then k.creation_reason else k.reason end,
    coalesce(k.metadata, '{}')
  from kept as k
  left join lateral (
    select w.workflow_step_uuid, w.name
      from tasker.workflow_steps as w
     where w.task_uuid = k.task_uuid
       and w.step_no = k.step_no
    offset 0
  ) as w on true
  order by k.created_at, k.task_uuid, k.step_no, k.sort_key;
end;
$$;

comment on function tasker.feed_slice(tasker.subscriptions, timestamptz, timestamptz, integer) is
$$The next events of a subscription's window that are dated from p_from to before p_to and lie behind its place, at most p_limit, in the order of time.

A row belongs to the window if the transaction that wrote it is visible in "until" but not in "snapshot". The BRIN indexes of the logs find such rows by transaction number and by time.$$;

revoke all on function tasker.feed_slice(tasker.subscriptions, timestamptz, timestamptz, integer) from public;
