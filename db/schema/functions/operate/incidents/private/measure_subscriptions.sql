create or replace function tasker.measure_subscriptions()
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
    format('subscription:%s', s.subscription),
    'subscription',
    case when f.severity >= d.severity and f.severity > 0 then 'failures' else 'dead' end,
    case when cardinality(s.namespaces) = 1 then s.namespaces[1] end,
    s.subscription,
    case
      when f.severity >= d.severity and f.severity > 0
        then format('Subscription %s is not delivered: %s', s.subscription, left(coalesce(s.last_error, 'no answer'), 300))
      else format('Subscription %s gave up or missed events', s.subscription)
    end,
    greatest(f.severity, d.severity),
    coalesce(s.last_error_at, s.updated_at),
    case when f.severity >= d.severity and f.severity > 0 then s.failures else c.events end::bigint,
    jsonb_build_object('failures', s.failures, 'dead', c.dead, 'missed', c.events - c.dead)
  from tasker.subscriptions as s
  cross join lateral (
    select
      (select count(*) from (select from tasker.dead_events as d where d.subscription = s.subscription limit 10001) as d) as dead,
      (select count(*) from (select from tasker.dead_events as d where d.subscription = s.subscription limit 10001) as d)
      + (select count(*) from (select from tasker.missed_events as m where m.subscription = s.subscription limit 1000) as m) as events
  ) as c
  cross join lateral (select tasker.incident_severity('subscription', 'failures', s.failures) as severity) as f
  cross join lateral (select tasker.incident_severity('subscription', 'dead', c.events) as severity) as d
  where greatest(f.severity, d.severity) > 0;
end;
$$;

comment on function tasker.measure_subscriptions is
$$Returns the subscriptions whose target refuses or does not answer, and the subscriptions that gave up or missed events.$$;
