create or replace function tasker.measure_workers()
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
    format('workers_gone:%s', coalesce(nullif(w.namespace, ''), '*')),
    'workers_gone',
    'share',
    nullif(w.namespace, ''),
    coalesce(nullif(w.namespace, ''), 'all namespaces'),
    format('%s of %s workers of %s no longer run', w.before - w.live, w.before, coalesce(nullif(w.namespace, ''), 'all namespaces')),
    tasker.incident_severity('workers_gone', 'share', 1 - w.live::double precision / w.before),
    w.last_at,
    w.before - w.live,
    jsonb_build_object('before', w.before, 'live', w.live)
  from (
    select
      n.namespace,
      count(*) filter (where w.registered_at <= tasker.clock() - interval '15 minutes') as before,
      count(*) filter (where w.last_seen_at > tasker.clock() - interval '1 minute') as live,
      min(w.last_seen_at) as last_at
    from tasker.workers as w
    cross join lateral unnest(case when w.namespaces = '{}' then array[''] else w.namespaces end) as n (namespace)
    where w.last_seen_at > tasker.clock() - interval '15 minutes'
    group by n.namespace
  ) as w
  where w.before >= (select r.at_least from tasker.incident_rules as r where r.kind = 'workers_gone' and r.rule = 'share')
    and w.live < w.before
    and tasker.incident_severity('workers_gone', 'share', 1 - w.live::double precision / w.before) > 0;
end;
$$;

comment on function tasker.measure_workers is
$$Returns the namespaces that have lost a large share of the workers that they had a quarter of an hour ago. A namespace
that got as many new workers is left out. Workers without namespaces are counted separately, as workers of all
namespaces.$$;
