create or replace function tasker.measure_slow()
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
  with now as materialized (
    select d.task_namespace_uuid, r.named_step_uuid, sum(r.timed) as timed, sum(r.durations) as durations, min(r.min_ms) as min_ms, max(r.max_ms) as max_ms
      from tasker.step_rollups as r
      join tasker.named_tasks as d
        on d.named_task_uuid = r.named_task_uuid
     where r.bucket > tasker.clock() - interval '16 minutes'
       and r.timed > 0
     group by 1, 2
    having sum(r.timed) >= 20
  ),
  hours as materialized (
    -- Use whole hours, because minutes are merged into hours after two days.
    select d.task_namespace_uuid, r.named_step_uuid, sum(r.timed) as timed, sum(r.durations) as durations, min(r.min_ms) as min_ms, max(r.max_ms) as max_ms
      from generate_series(1, 7) as g (day)
     cross join lateral (
       select h.*
         from tasker.step_hours as h
        where h.bucket = date_trunc('hour', tasker.clock() - make_interval(days => g.day), 'UTC')
       offset 0
     ) as r
      join tasker.named_tasks as d
        on d.named_task_uuid = r.named_task_uuid
     where exists (select from now)
       and r.timed > 0
     group by 1, 2
    having sum(r.timed) >= 20
  )
  select
    format('slower:%s/%s', n.name, k.name),
    'slower',
    'p95',
    n.name,
    k.name,
    format('%s of %s is slower than usual: %s s instead of %s s', coalesce('SQL function ' || tasker.sql_function_of(k.name), k.name), n.name, p.p95_now, p.p95_usual),
    tasker.incident_severity('slower', 'p95', p.p95_now / greatest(p.p95_usual, 0.001)),
    tasker.clock(),
    w.timed::bigint,
    jsonb_build_object('p95_seconds', p.p95_now, 'usual_p95_seconds', p.p95_usual)
  from now as w
  join hours as u
    on u.task_namespace_uuid = w.task_namespace_uuid
   and u.named_step_uuid = w.named_step_uuid
  cross join lateral (
    select
      (select p.p95 from tasker.percentiles_of(w.durations, w.min_ms, w.max_ms) as p) as p95_now,
      (select p.p95 from tasker.percentiles_of(u.durations, u.min_ms, u.max_ms) as p) as p95_usual
  ) as p
  join tasker.task_namespaces as n
    on n.task_namespace_uuid = w.task_namespace_uuid
  join tasker.named_steps as k
    on k.named_step_uuid = w.named_step_uuid
  where p.p95_now - p.p95_usual >= (select r.at_least from tasker.incident_rules as r where r.kind = 'slower' and r.rule = 'p95')
    and tasker.incident_severity('slower', 'p95', p.p95_now / greatest(p.p95_usual, 0.001)) > 0;
end;
$$;

comment on function tasker.measure_slow is
$$Returns the handlers that are slower than usual. Compares the 95th percentile of the durations in the last quarter of
an hour with the 95th percentile of the same hour of the preceding seven days. Compares them only if both periods have
at least 20 durations.$$;
