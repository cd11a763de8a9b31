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
  -- Each row that the snapshot does not see has at least this transaction number. A BRIN index serves this single
  -- condition. The index does not serve the two exact conditions, which are joined by "or".
  v_xmin       bigint               := pg_snapshot_xmin(s.snapshot)::text::bigint;
  v_xmax       bigint               := pg_snapshot_xmax(s.snapshot)::text::bigint;
  v_open       bigint[]             := array(select x.xid::text::bigint from pg_snapshot_xip(s.snapshot) as x (xid));
  -- These numbers express the same condition as pg_visible_in_snapshot(xact, until).
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
  v_step_paths smallint[];
  v_task_paths smallint[];
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
  -- The paths with a transition that passes the filter. Null means all paths.
  if s.events is not null or s.to_states is not null then
    v_step_paths := array(
      select u.path
        from tasker.step_log_paths as u
       where (s.events is null or u.event = any (s.events))
         and (v_step_to is null or u.to_state = any (v_step_to))
    );
    v_task_paths := array(
      select u.path
        from tasker.task_log_paths as u
       where (s.events is null or u.event = any (s.events))
         and (v_task_to is null or u.to_state = any (v_task_to))
    );
  end if;
  return array(
    -- Rows of the logs, in the order of their transitions. Each row has at least one event that passes the filter, except
    -- that at most one row has its events partly before and partly after the place. So p_limit + 1 rows have enough
    -- events.
    with logged as materialized (
      select
        r.created_at, r.task_uuid, r.step_no, r.sort_key, r.path, r.claim_no, r.execution_time_ms, r.worker_uuid,
        -- A query may find thousands of events. Check the stored sizes, so that the check reads no values.
        case when pg_column_size(r.actor) <= 300 then r.actor end as actor,
        case when pg_column_size(r.reason) <= 300 then r.reason end as reason,
        case when pg_column_size(r.metadata) <= 300 then r.metadata end as metadata,
        -- Keep the count, which is the whole metadata of some transitions.
        case
          when pg_column_size(r.outcome) <= 300 then r.outcome
          when r.outcome is not null then jsonb_build_object('count', r.outcome -> 'count')
        end as outcome,
        (pg_column_size(r.actor) > 300 or pg_column_size(r.reason) > 300) is true as long,
        (pg_column_size(r.metadata) > 300) is true as long_metadata,
        (pg_column_size(r.outcome) > 300) is true as long_outcome
        from (
          select f.*
            from (
              select
                l.created_at, l.task_uuid, l.step_no, l.sort_key, l.path::smallint as path, l.claim_no,
                l.execution_time_ms::bigint as execution_time_ms, l.worker_uuid, l.actor, l.reason, l.metadata, null::jsonb as outcome
                from tasker.step_log as l
               where v_steps
                 and l.created_at >= p_from
                 and l.created_at < p_to
                 and l.xact >= v_xmin
                 and l.xact < v_until
                 and (l.xact >= v_xmax or l.xact = any (v_open))
                 and l.xact <> all (v_until_open)
                 and (v_step_paths is null or l.path = any (v_step_paths))
              union all
              select
                l.created_at, l.task_uuid, 0, l.sort_key, l.path::smallint, null, null, l.processor_uuid, l.actor, l.reason, l.metadata, l.outcome
                from tasker.task_log as l
               where v_tasks
                 and l.created_at >= p_from
                 and l.created_at < p_to
                 and l.xact >= v_xmin
                 and l.xact < v_until
                 and (l.xact >= v_xmax or l.xact = any (v_open))
                 and l.xact <> all (v_until_open)
                 and (
                       v_task_paths is null
                       or l.path = any (v_task_paths)
                       -- A creation has no row of its own. The row of the first transition also reports the
                       -- creation.
                       or v_new and (l.path::smallint, l.sort_key) in (
                         select u.path::smallint, u.after + 1 from tasker.task_log_paths as u where u.position = 1
                       )
                     )
              union all
              -- A task that starts later has no row in the log yet. Its timer reports the creation.
              select t.requested_at, m.task_uuid, 0, 0, 0::smallint, null, null, null, null, null, null, null
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
            ) as f
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
           limit p_limit + 1
        ) as r
    ),
    -- Group the rows, so that each path is looked up only once.
    paths as (
      select l.path, l.step_no > 0 as of_step, array_agg(l) as logged
        from logged as l
       group by 1, 2
    ),
    found as (
      select
        l.created_at, l.task_uuid, l.step_no, l.sort_key - u.after as sort_key, u.event, u.from_state as step_from,
        u.to_state as step_to, null::tasker.task_state as task_from, null::tasker.task_state as task_to, l.claim_no,
        case when u.position = 1 then l.execution_time_ms end as execution_time_ms,
        case when u.position = 1 then l.worker_uuid end as worker_uuid, l.actor, l.reason,
        case when u.position = 1 then l.metadata end as metadata,
        l.long or u.position = 1 and l.long_metadata as cut
        from paths as p
        join tasker.step_log_paths as u
          on u.path = p.path
       cross join lateral unnest(p.logged) as l (
         created_at timestamptz, task_uuid uuid, step_no integer, sort_key integer, path smallint, claim_no integer,
         execution_time_ms bigint, worker_uuid uuid, actor text, reason text, metadata jsonb, outcome jsonb, long boolean,
         long_metadata boolean, long_outcome boolean
       )
       where p.of_step
         and (s.events is null or u.event = any (s.events))
         and (v_step_to is null or u.to_state = any (v_step_to))
      union all
      select
        l.created_at, l.task_uuid, 0, c.sort_key, c.event, null, null, c.from_state, c.to_state, null, null, c.processor_uuid,
        c.actor, c.reason, c.metadata, c.cut
        from paths as p
        left join tasker.task_log_paths as u
          on u.path = p.path
       cross join lateral unnest(p.logged) as l (
         created_at timestamptz, task_uuid uuid, step_no integer, sort_key integer, path smallint, claim_no integer,
         execution_time_ms bigint, worker_uuid uuid, actor text, reason text, metadata jsonb, outcome jsonb, long boolean,
         long_metadata boolean, long_outcome boolean
       )
       cross join lateral (
         select
           l.sort_key - u.after as sort_key, u.event, u.from_state, u.to_state, l.worker_uuid as processor_uuid, l.actor, l.reason,
           case u.shows
             when 'm' then l.metadata
             when 'o' then case when not l.long_outcome then l.outcome end
             when 'c' then jsonb_build_object('count', l.outcome -> 'count')
             when 'k' then u.constant
           end as metadata,
           l.long or (case u.shows when 'm' then l.long_metadata when 'o' then l.long_outcome end) is true as cut
          where u.path is not null
            and (s.events is null or u.event = any (s.events))
            and (v_task_to is null or u.to_state = any (v_task_to))
         union all
         select 0, 'Create', null, 'pending', null, null, null, null, false
          where v_new and l.sort_key - coalesce(u.after, -1) = 1
       ) as c
       where not p.of_step
    )
    select row(
      f.created_at, f.task_uuid, f.step_no, f.sort_key, f.event, f.step_from, f.step_to, f.task_from, f.task_to, f.claim_no,
      f.execution_time_ms, f.worker_uuid, f.actor, f.reason, f.metadata, f.cut
    )::tasker.feed_finds
      from found as f
     where s.place_task_uuid is null
        or (f.created_at, f.task_uuid, f.step_no, f.sort_key)
           > (s.place_at, s.place_task_uuid, s.place_step_no, s.place_sort_key)
     order by f.created_at, f.task_uuid, f.step_no, f.sort_key
     limit p_limit
  );
end;
$$;

comment on function tasker.find_feed_events is
$$Returns the next events of a subscription's window, at most p_limit, in the order of time. The events are dated from p_from to before p_to and come after the subscription's place.

A row belongs to the window if the transaction that wrote it is visible in "until" but not in "snapshot". The BRIN indexes of the logs find such rows by transaction number and by time.$$;
