create or replace function tasker.find_feed_events(
  p_subscription  tasker.subscriptions,
  p_from          timestamptz,
  p_to            timestamptz,
  p_limit         integer
)
  returns tasker.feed_finds[]
  language plpgsql
  stable
as $$
declare
  s            tasker.subscriptions := p_subscription;
  -- A row that the snapshot does not see is not older than its oldest open transaction: one condition that a BRIN index serves,
  -- which it does not for the two that are joined by "or".
  v_xmin       bigint               := pg_snapshot_xmin(s.snapshot)::text::bigint;
  v_xmax       bigint               := pg_snapshot_xmax(s.snapshot)::text::bigint;
  v_open       bigint[]             := array(select x.xid::text::bigint from pg_snapshot_xip(s.snapshot) as x (xid));
  -- The same as pg_visible_in_snapshot(xact, until), in numbers.
  v_until      bigint               := pg_snapshot_xmax(s.until)::text::bigint;
  v_until_open bigint[]             := array(select x.xid::text::bigint from pg_snapshot_xip(s.until) as x (xid));
  v_tasks      boolean              := 'task' = any (s.kinds);
  v_steps      boolean              := 'step' = any (s.kinds);
  v_new        boolean              := v_tasks and (s.events is null or 'Create' = any (s.events))
                                       and (s.to_states is null or 'pending' = any (s.to_states));
  v_all        boolean              := s.namespaces is null and s.templates is null;
  v_templates  uuid[];
  v_step_to    tasker.step_state[];
  v_task_to    tasker.task_state[];
begin
  if not v_all then
    v_templates := array(
      select k.named_task_uuid
        from tasker.named_tasks as k
        join tasker.task_namespaces as n
          on n.task_namespace_uuid = k.task_namespace_uuid
       where (s.namespaces is null or n.name = any (s.namespaces))
         and (s.templates is null or k.name = any (s.templates))
    );
  end if;
  if s.to_states is not null then
    v_step_to := array(select k.state from tasker.step_states as k where k.state::text = any (s.to_states));
    v_task_to := array(select k.state from tasker.task_states as k where k.state::text = any (s.to_states));
  end if;
  return array(
    with found as (
      select
        l.created_at, l.task_uuid, l.step_no, l.sort_key, l.event, l.from_state as step_from, l.to_state as step_to,
        null::tasker.task_state as task_from, null::tasker.task_state as task_to, l.claim_no, l.execution_time_ms, l.worker_uuid,
        l.actor, l.reason, l.metadata
        from tasker.workflow_step_transition_log as l
       where v_steps
         and l.created_at >= p_from
         and l.created_at < p_to
         and l.xact >= v_xmin
         and l.xact < v_until
         and (l.xact >= v_xmax or l.xact = any (v_open))
         and l.xact <> all (v_until_open)
         and (s.events is null or l.event = any (s.events))
         and (v_step_to is null or l.to_state = any (v_step_to))
      union all
      -- A creation has no row of its own; the first transition tells of it, too.
      select
        l.created_at, l.task_uuid, 0, c.sort_key, c.event, null, null, c.from_state, c.to_state, null, null, c.processor_uuid,
        c.actor, c.reason, c.metadata
        from tasker.task_transition_log as l
       cross join lateral (
         select l.sort_key, l.event, l.from_state, l.to_state, l.processor_uuid, l.actor, l.reason, l.metadata
          where (s.events is null or l.event = any (s.events))
            and (v_task_to is null or l.to_state = any (v_task_to))
         union all
         select 0, 'Create', null, 'pending', null, null, null, null
          where v_new and l.sort_key = 1
       ) as c
       where v_tasks
         and l.created_at >= p_from
         and l.created_at < p_to
         and l.xact >= v_xmin
         and l.xact < v_until
         and (l.xact >= v_xmax or l.xact = any (v_open))
         and l.xact <> all (v_until_open)
      union all
      -- And so does the timer of a task that starts later.
      select t.requested_at, m.task_uuid, 0, 0, 'Create', null, null, null, 'pending', null, null, null, null, null, null
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
         and m.xact < v_until
         and (m.xact >= v_xmax or m.xact = any (v_open))
         and m.xact <> all (v_until_open)
         and t.requested_at >= p_from
         and t.requested_at < p_to
    )
    select row(
      f.created_at, f.task_uuid, f.step_no, f.sort_key, f.event, f.step_from, f.step_to, f.task_from, f.task_to, f.claim_no,
      f.execution_time_ms, f.worker_uuid,
      -- Thousands may be found at once. Stored sizes, so that nothing is read for it.
      case when pg_column_size(f.actor) <= 300 then f.actor end,
      case when pg_column_size(f.reason) <= 300 then f.reason end,
      case when pg_column_size(f.metadata) <= 300 then f.metadata end,
      (pg_column_size(f.actor) > 300 or pg_column_size(f.reason) > 300 or pg_column_size(f.metadata) > 300) is true
    )::tasker.feed_finds
      from found as f
     where (
             s.place_task_uuid is null
             or (f.created_at, f.task_uuid, f.step_no, f.sort_key)
                > (s.place_at, s.place_task_uuid, s.place_step_no, s.place_sort_key)
           )
       and (
             v_all
             or exists (
               select
                 from tasker.tasks as t
                where t.task_uuid = f.task_uuid
                  and t.named_task_uuid = any (v_templates)
               offset 0
             )
           )
     order by f.created_at, f.task_uuid, f.step_no, f.sort_key
     limit p_limit
  );
end;
$$;

comment on function tasker.find_feed_events is
$$The next events of a subscription's window that are dated from p_from to before p_to and lie behind its place, at most p_limit, in the order of time.

A row belongs to the window if the transaction that wrote it is visible in "until" but not in "snapshot". The BRIN indexes of the logs find such rows by transaction number and by time.$$;
