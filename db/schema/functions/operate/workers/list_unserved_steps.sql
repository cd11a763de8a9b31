create or replace function tasker.list_unserved_steps(p_namespaces text[] default null)
  returns setof tasker.unserved_steps
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
  -- Read only the oldest row of each handler and lane, and not the queue behind this row.
  return query
  with ready as (
    select distinct on (g.namespace, k.name)
      g.namespace,
      k.name as handler,
      least(g.visible_at, tasker.clock()) as ready_since,
      tasker.step_uuid(g.task_uuid, g.step_no) as step_uuid
    from tasker.queue_groups(tasker.claimable_namespaces(p_namespaces)) as g
    cross join lateral (
      select k.name
        from tasker.named_steps as k
       where k.named_step_uuid = g.named_step_uuid
      offset 0
    ) as k
    where (
        g.lane in ('high', 'normal', 'low', 'limited') and g.visible_at <= tasker.clock()
        or g.lane in ('published_high', 'published_normal', 'published_low')
      )
      and not exists (
        select
          from tasker.handler_pauses as p
         where p.namespace = g.namespace
           and p.named_step_uuid = g.named_step_uuid
        offset 0
      )
    order by g.namespace, k.name, g.visible_at
  ),
  live as (
    select w.namespaces, w.handlers
      from tasker.workers as w
     where w.last_seen_at > tasker.clock() - interval '1 minute'
  )
  select
    r.namespace,
    r.handler,
    tasker.nearest_name(r.handler, s.handlers),
    r.ready_since,
    r.step_uuid
  from ready as r
  cross join lateral (
    select
      -- A worker without a list of handlers may have any handler.
      coalesce(bool_or(w.handlers is null or r.handler = any (w.handlers)), false) as served,
      array(
        select distinct h.name
          from live as l
         cross join lateral unnest(l.handlers) as h (name)
         where l.namespaces = '{}'
            or r.namespace = any (l.namespaces)
         order by h.name
         limit 1000
      ) as handlers
    from live as w
    where w.namespaces = '{}'
       or r.namespace = any (w.namespaces)
  ) as s
  where not s.served
  order by r.ready_since, r.namespace, r.handler;
end;
$$;

comment on function tasker.list_unserved_steps is
$$Returns the handlers for which steps are ready in these namespaces (null: all namespaces), but which no worker that
was seen within the last minute has. The handler whose steps have waited longest comes first. Each row also has the most
similar name of a handler that a worker has. A worker that registered without handlers counts as having all handlers.
Skips paused namespaces and handlers.

The cost is one probe of the queue's index for each handler, and does not depend on the number of waiting steps. Raises
TK404 for an unknown namespace, and TK403 if the role is bound to other namespaces.$$;

grant execute on function tasker.list_unserved_steps
  to tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
