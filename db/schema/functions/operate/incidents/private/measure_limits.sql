create or replace function tasker.measure_limits()
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
    format('limit:%s/%s/%s', l.namespace, l.name, md5(k.limit_key)),
    'limit',
    'line',
    l.namespace,
    l.name,
    format('Limit %s of %s is full for key "%s"', l.name, l.namespace, left(k.limit_key, 100)),
    tasker.incident_severity('limit', 'line', q.steps),
    tasker.clock(),
    q.steps,
    jsonb_build_object('key', left(k.limit_key, 200), 'steps', q.steps)
  from tasker.limits as l
  cross join lateral (
    select k.limit_key
      from tasker.limit_keys as k
     where k.limit_no = l.limit_no
     order by k.limit_key
     limit 200
  ) as k
  cross join lateral (
    select count(*) as steps
      from (
        select
          from tasker.step_queue as q
         where q.limit_no = l.limit_no
           and q.limit_key = k.limit_key
           and q.lane = 'limited'
         limit 10001
      ) as q
  ) as q
  where q.steps >= (select r.look_at from tasker.incident_rules as r where r.kind = 'limit' and r.rule = 'line');
end;
$$;

comment on function tasker.measure_limits is
$$Returns the keys of limits for which many steps wait. For each limit, reads the first 200 keys that have a line, and
up to 10,001 steps of each line.$$;
