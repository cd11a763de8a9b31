create or replace function tasker.measure_unserved()
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
    format('unserved:%s/%s', u.namespace, u.handler),
    'unserved',
    case when n.steps_severity > n.time_severity then 'steps' else 'time' end,
    u.namespace,
    u.handler,
    format(
      case when tasker.sql_function_of(u.handler) is null then 'No running worker has handler %s of %s%s' else 'Nothing calls SQL function %s of %s%s' end,
      coalesce(tasker.sql_function_of(u.handler), u.handler), u.namespace,
      case when u.nearest is not null then format(' (did you mean %s?)', u.nearest) else '' end
    ),
    greatest(n.time_severity, n.steps_severity),
    u.ready_since,
    n.steps,
    jsonb_build_object('seconds', n.seconds, 'step', u.step_uuid, 'nearest', u.nearest)
  from tasker.list_unserved_steps() as u
  cross join lateral (
    select
      c.steps, c.seconds,
      tasker.incident_severity('unserved', 'time', c.seconds) as time_severity,
      case
        when c.seconds >= (select r.look_at from tasker.incident_rules as r where r.kind = 'unserved' and r.rule = 'time')
          then tasker.incident_severity('unserved', 'steps', c.steps)
        else 0::smallint
      end as steps_severity
    from (
      select
        round(extract(epoch from tasker.clock() - u.ready_since)) as seconds,
        (
          select count(*)
            from (
              select
                from tasker.named_steps as k
               cross join unnest('{high,normal,low,limited,published_high,published_normal,published_low}'::tasker.queue_lane[]) as l (lane)
               cross join lateral (
                 select
                   from tasker.step_queue as q
                  where q.namespace = u.namespace
                    and q.lane = l.lane
                    and q.named_step_uuid = k.named_step_uuid
                    and q.visible_at <= tasker.clock()
                 offset 0
               ) as q
               where k.name = u.handler
               limit 10001
            ) as q
        ) as steps
    ) as c
  ) as n;
end;
$$;

comment on function tasker.measure_unserved is
$$Returns the handlers for which steps are ready but which no running worker has. One rule measures how long the steps
have waited, another rule how many steps are waiting.$$;
