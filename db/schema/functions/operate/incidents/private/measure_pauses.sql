create or replace function tasker.measure_pauses()
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
    format('paused:%s', n.name),
    'paused',
    'namespace',
    n.name,
    n.name,
    format('Namespace %s is paused, by %s', n.name, n.paused_by),
    tasker.incident_severity('paused', 'namespace', greatest(extract(epoch from tasker.clock() - n.paused_at), 0)),
    n.paused_at,
    0::bigint,
    jsonb_build_object('paused_by', n.paused_by, 'seconds', round(extract(epoch from tasker.clock() - n.paused_at)))
  from tasker.task_namespaces as n
  where n.paused_at is not null
  union all
  select
    format('paused:%s/%s', p.namespace, p.handler),
    'paused',
    'handler',
    p.namespace,
    p.handler,
    case
      when p.until is null then format('%s of %s is paused without an end, by %s', tasker.handler_in_words(p.handler), p.namespace, p.paused_by)
      else format('%s of %s is paused past its end, by %s', tasker.handler_in_words(p.handler), p.namespace, p.paused_by)
    end,
    tasker.incident_severity('paused', 'handler', extract(epoch from tasker.clock() - coalesce(p.until, p.paused_at))),
    coalesce(p.until, p.paused_at),
    0::bigint,
    jsonb_build_object('paused_by', p.paused_by, 'seconds', round(extract(epoch from tasker.clock() - p.paused_at)), 'until', p.until, 'reason', p.reason)
  from tasker.handler_pauses as p
  where coalesce(p.until, p.paused_at) <= tasker.clock();
end;
$$;

comment on function tasker.measure_pauses is
$$Returns the namespaces that are paused, and the handlers whose pause is past its end or has no end.$$;
