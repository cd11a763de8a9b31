create or replace function tasker.list_incident_shares(p_incident text)
  returns setof tasker.incident_shares
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
  v_cause tasker.error_causes := tasker.incident_cause(p_incident);
begin
  return query
  with counted as materialized (
    select v.dimension, coalesce(v.value, 'unknown') as value, count(*) filter (where x.failed) as failures, count(*) filter (where not x.failed) as attempts
      from (
        select true as failed, s.* from tasker.sample_attempts(v_cause, true) as s
        union all
        select false, s.* from tasker.sample_attempts(v_cause, false) as s
      ) as x
     cross join lateral (values ('version', x.version), ('worker', x.worker), ('tenant', x.tenant)) as v (dimension, value)
     where v.dimension <> 'tenant'
        or tasker.setting('tenant') <> 'none'
     group by 1, 2
  ),
  deployed as materialized (
    select w.version, min(w.registered_at) as first_at
      from tasker.workers as w
     where w.version is not null
       and w.registered_at > tasker.clock() - interval '7 days'
       and (w.handlers is null or v_cause.handler = any (w.handlers))
       and (w.namespaces = '{}' or v_cause.namespace = any (w.namespaces))
     group by w.version
  ),
  ranked as (
    select
      c.dimension, c.value, c.failures, c.attempts,
      c.failures / nullif(sum(c.failures) over d, 0) as failed_share,
      c.attempts / nullif(sum(c.attempts) over d, 0) as attempted_share,
      row_number() over (partition by c.dimension order by c.failures desc, c.attempts desc, c.value) as nth
    from counted as c
    window d as (partition by c.dimension)
  )
  select
    coalesce(r.dimension, 'version'), coalesce(r.value, o.version), coalesce(r.failures, 0), coalesce(r.failed_share, 0)::double precision,
    coalesce(r.attempts, 0), coalesce(r.attempted_share, 0)::double precision,
    -- A version that a worker had before this week does not count as a deployment.
    case when not exists (
      select from tasker.workers as w where w.version = o.version and w.registered_at <= tasker.clock() - interval '7 days'
    ) then o.first_at end
  from (select r.* from ranked as r where r.nth <= 10) as r
  full join deployed as o
    on r.dimension = 'version'
   and r.value = o.version
  order by 1, 3 desc, 5 desc, 2;
end;
$$;

comment on function tasker.list_incident_shares is
$$Returns versions, workers and tenants, each with its share of the failures of a cause and its share of all attempts of
the handler. If a share of the failures is far above the share of the attempts, the cause probably lies there. Returns
at most ten versions, ten workers and ten tenants, and every version that was deployed within a week.

Reads at most 2,000 failed steps and about 2,000 results. Raises TK404 if no cause has that name or the caller is bound to other namespaces.$$;

grant execute on function tasker.list_incident_shares to tasker_orchestrator, tasker_operator, tasker_reader;
