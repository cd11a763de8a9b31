create or replace function tasker.get_queue_health()
  returns setof tasker.queue_health
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
  v_bound text[] := tasker.bound_namespaces();
begin
  return query
  select
    n.name,
    l.lane::text,
    coalesce(q.ready, 0),
    coalesce(q.leased, 0),
    coalesce(greatest(extract(epoch from tasker.clock() - q.oldest), 0), 0)::double precision,
    coalesce(greatest(extract(epoch from tasker.clock() - s.oldest), 0), 0)::double precision,
    n.paused_at is not null
  from tasker.task_namespaces as n
  cross join unnest(enum_range(null::tasker.queue_lane)) as l (lane)
  left join (
    select
      q.namespace,
      q.lane,
      count(*) filter (where q.visible_at <= tasker.clock()) as ready,
      count(*) filter (where q.visible_at > tasker.clock()) as leased,
      min(q.visible_at) filter (where q.visible_at <= tasker.clock()) as oldest
    from tasker.step_queue as q
    group by q.namespace, q.lane
  ) as q
    on q.namespace = n.name
   and q.lane = l.lane
  left join (
    select
      g.namespace,
      g.lane,
      min(g.visible_at) as oldest
    from tasker.queue_groups(array(select n.name from tasker.task_namespaces as n)) as g
    where g.visible_at <= tasker.clock()
      and (g.lane in ('running', 'results') or tasker.is_served(g.namespace, g.named_step_uuid))
    group by g.namespace, g.lane
  ) as s
    on s.namespace = n.name
   and s.lane = l.lane
  where (v_bound is null or n.name = any (v_bound))
    and (n.transport = 'broker' or l.lane not in ('published_high', 'published_normal', 'published_low'))
  order by n.name, l.lane;
end;
$$;

comment on function tasker.get_queue_health is
$$Returns the length of the queue of each namespace and lane, by namespace, then by lane. Each row also says how long
the first step has waited for a worker, and how long the first step whose handler a running worker has is waiting. A
bound caller sees only its own namespaces.

Reads the index of the queue.$$;

grant execute on function tasker.get_queue_health to tasker_orchestrator, tasker_operator, tasker_reader;
