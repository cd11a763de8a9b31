create or replace function tasker.measure_queues()
  returns setof tasker.incident_measures
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
    format('queue:%s/%s', g.namespace, g.lane),
    'queue',
    'oldest',
    g.namespace,
    g.lane::text,
    format('Steps of %s wait in lane %s although workers run', g.namespace, g.lane),
    tasker.incident_severity('queue', 'oldest', extract(epoch from tasker.clock() - g.oldest)),
    g.oldest,
    (
      select count(*)
        from (
          select
            from tasker.step_queue as q
           where q.namespace = g.namespace
             and q.lane = g.lane
             and q.visible_at <= tasker.clock()
           limit 10001
        ) as q
    ),
    jsonb_build_object('seconds', round(extract(epoch from tasker.clock() - g.oldest)))
  from (
    select q.namespace, q.lane, min(q.visible_at) as oldest
      from tasker.queue_groups(array(select n.name from tasker.task_namespaces as n where n.paused_at is null)) as q
     where q.visible_at < tasker.clock()
       and q.lane not in ('limited', 'paused')
       and (q.lane in ('running', 'results') or tasker.is_served(q.namespace, q.named_step_uuid))
       and (q.lane in ('running', 'results') or not exists (
         select
           from tasker.handler_pauses as p
          where p.namespace = q.namespace
            and p.named_step_uuid = q.named_step_uuid
       ))
     group by q.namespace, q.lane
  ) as g
  where g.oldest <= tasker.clock() - make_interval(secs => (
    select r.look_at from tasker.incident_rules as r where r.kind = 'queue' and r.rule = 'oldest'
  )::double precision)
    -- If there is no worker at all, the handlers are unserved, and each unserved handler is a separate incident.
    and (g.lane in ('running', 'results') or exists (
      select from tasker.workers as w where w.last_seen_at > tasker.clock() - interval '1 minute'
    ));
end;
$$;

comment on function tasker.measure_queues is
$$Returns the lanes of namespaces in which a step has waited too long although a running worker has its handler. Leaves
out paused namespaces and handlers.$$;
