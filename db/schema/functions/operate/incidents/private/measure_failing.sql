create or replace function tasker.measure_failing()
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
declare
  v_now    timestamptz := tasker.clock();
  v_hour   timestamptz := date_trunc('hour', v_now, 'UTC');
  v_rolled timestamptz := (select r.rolled_up_until from tasker.rollup_state as r);
  v_bucket timestamptz := date_bin('15 seconds', v_now, '2000-01-01Z');
  v_minute tasker.incident_rules;
  v_five   tasker.incident_rules;
  v_first  tasker.incident_rules;
begin
  select r.* into strict v_minute from tasker.incident_rules as r where r.kind = 'failing' and r.rule = 'minute';
  select r.* into strict v_five from tasker.incident_rules as r where r.kind = 'failing' and r.rule = 'five_minutes';
  select r.* into strict v_first from tasker.incident_rules as r where r.kind = 'failing' and r.rule = 'first';
  -- Count the failures and the results of five minutes up to the newest rollup, so that both are from the same period.
  v_rolled := case when v_rolled > v_now - interval '3 minutes' then date_trunc('minute', v_rolled, 'UTC') end;

  return query
  with recent as materialized (
    select
      o.fingerprint,
      coalesce(sum(q.failures) filter (where q.bucket >= v_bucket - interval '45 seconds'), 0) as f1,
      coalesce(sum(q.failures) filter (where q.bucket >= v_rolled - interval '5 minutes' and q.bucket < v_rolled), 0) as f5,
      sum(q.failures) as fh,
      min(q.bucket) filter (where q.bucket >= v_bucket - interval '6 minutes') as since
    from tasker.error_counts as o
    cross join lateral (
      select o.bucket + (q.no - 1) * interval '15 seconds' as bucket, q.failures
        from unnest(o.quarters) with ordinality as q (failures, no)
       where q.failures > 0
    ) as q
    where o.bucket >= v_hour - interval '1 hour'
      and q.bucket > v_now - interval '1 hour'
    group by o.fingerprint
  ),
  raised as materialized (
    select substr(i.incident, 9)::bigint as fingerprint, i.severity
      from tasker.incidents as i
     where i.ended_at is null
       and i.kind = 'failing'
  ),
  causes as materialized (
    select r.fingerprint from recent as r
    union
    select i.fingerprint from raised as i
  ),
  described as materialized (
    select
      c.fingerprint, o.namespace, o.handler, o.masked, o.first_error, o.first_step, o.first_at, o.last_at as failed_last,
      coalesce(r.f1, 0) as f1, coalesce(r.f5, 0) as f5, coalesce(r.fh, 0) as fh, r.since,
      sum(coalesce(r.f1, 0)) over w as handler_f1, sum(coalesce(r.f5, 0)) over w as handler_f5,
      i.fingerprint is not null as is_open
    from causes as c
    cross join lateral (select o.* from tasker.error_causes as o where o.fingerprint = c.fingerprint offset 0) as o
    left join lateral (select r.* from recent as r where r.fingerprint = c.fingerprint offset 0) as r on true
    left join lateral (select i.fingerprint from raised as i where i.fingerprint = c.fingerprint and i.severity > 0 offset 0) as i on true
    window w as (partition by o.namespace, o.handler)
  ),
  -- Read the tail of the log only if a handler has enough failures for the rule of the last minute.
  tail as materialized (
    select t.namespace, t.handler, t.results, t.failures
      from tasker.results_of_last_minute() as t
     where (select max(d.handler_f1) from described as d) >= v_minute.at_least
  ),
  rolled as materialized (
    select n.name as namespace, k.name as handler, sum(r.results) as results
      from (
        select r.named_task_uuid, r.named_step_uuid, sum(r.results) as results
          from tasker.step_rollups as r
         where r.bucket >= v_rolled - interval '5 minutes'
           and r.bucket < v_rolled
         group by 1, 2
      ) as r
      join tasker.named_tasks as d
        on d.named_task_uuid = r.named_task_uuid
      join tasker.task_namespaces as n
        on n.task_namespace_uuid = d.task_namespace_uuid
      join tasker.named_steps as k
        on k.named_step_uuid = r.named_step_uuid
     group by 1, 2
  ),
  handlers as materialized (
    select
      h.namespace, h.handler,
      -- The tail may be a sample, so use only its share of failures.
      greatest(h.f1, (
        select h.f1 * t.results / greatest(t.failures, 0.5)
          from tail as t
         where t.namespace = h.namespace
           and t.handler = h.handler
      )) as a1,
      case when v_rolled is not null then greatest(h.f5, (
        select r.results from rolled as r where r.namespace = h.namespace and r.handler = h.handler
      )) end as a5,
      u.results as usual_results,
      u.failures as usual_failures
    from (
      select d.namespace, d.handler, max(d.handler_f1) as f1, max(d.handler_f5) as f5
        from described as d
       group by d.namespace, d.handler
    ) as h
    cross join lateral (
      select sum(u.results) as results, sum(u.failures) as failures
        from tasker.handler_hours as u
       where u.namespace = h.namespace
         and u.handler = h.handler
         and u.bucket >= v_now - interval '25 hours'
         and u.bucket < v_now - interval '1 hour'
    ) as u
  ),
  compared as materialized (
    select
      d.*, h.a1, h.a5,
      -- The usual share of failures counts as at least 1 in 1,000.
      greatest(0.001, coalesce(h.usual_failures / nullif(h.usual_results, 0), 0)) as handler_usual,
      greatest(0.001, coalesce((
        select sum(u.failures)
          from tasker.error_hours as u
         where u.fingerprint = d.fingerprint
           and u.bucket >= v_now - interval '25 hours'
           and u.bucket < v_now - interval '1 hour'
      ) / nullif(h.usual_results, 0), 0)) as usual,
      s.failed, s.retrying
    from described as d
    cross join lateral (
      select h.* from handlers as h where h.namespace = d.namespace and h.handler = d.handler offset 0
    ) as h
    cross join lateral (
      select coalesce(sum(s.failed), 0)::bigint as failed, coalesce(sum(s.retrying), 0)::bigint as retrying
        from tasker.error_stands as s
       where s.fingerprint = d.fingerprint
    ) as s
  ),
  judged as materialized (
    select c.*, v.rule, v.severity, row_number() over (partition by c.fingerprint order by v.severity desc, v.rule) as nth
      from compared as c
     cross join lateral (values
       -- If a provider is down, failures have several causes. So the handler's failures decide, and a cause with a
       -- tenth of them is severe.
       (
         'minute', 3,
         c.handler_f1 >= v_minute.at_least and c.handler_f1 >= v_minute.act_at * c.a1
         and c.handler_f1 > v_minute.times_usual * c.handler_usual * c.a1
         and c.f1 >= 0.1 * c.handler_f1 and c.f1 > v_minute.times_usual * c.usual * c.a1
       ),
       (
         'five_minutes', 3,
         c.handler_f5 >= v_five.at_least and c.handler_f5 >= v_five.act_at * c.a5
         and c.handler_f5 > v_five.times_usual * c.handler_usual * c.a5
         and c.f5 >= 0.1 * c.handler_f5 and c.f5 > v_five.times_usual * c.usual * c.a5
       ),
       -- There are more failures than chance explains: more than the usual number plus four standard deviations plus
       -- four failures.
       ('five_minutes', 2, c.f5 >= v_five.look_at * c.a5 and c.f5 > c.usual * c.a5 + 4 * sqrt(c.usual * c.a5) + 4),
       ('first', 2, c.first_at > v_now - interval '1 hour' and c.failed >= v_first.look_at),
       ('over', 2, c.is_open and c.failed >= 1)
     ) as v (rule, severity, holds)
     where v.holds
  )
  select
    'failing:' || j.fingerprint,
    'failing',
    j.rule,
    j.namespace,
    j.handler,
    format('%s of %s fails: %s', coalesce('SQL function ' || tasker.sql_function_of(j.handler), j.handler), j.namespace, j.masked),
    j.severity::smallint,
    case when j.first_at > v_now - interval '1 hour' then j.first_at else coalesce(j.since, j.failed_last) end,
    j.failed,
    -- The callers keep only the first row of each incident.
    case when j.nth = 1 then jsonb_build_object(
      'failed', j.failed,
      'retrying', j.retrying,
      'failures_minute', j.f1,
      'failures_hour', j.fh,
      'share', round(coalesce(j.f5 / nullif(j.a5, 0), j.f1 / nullif(j.a1, 0), 0), 4),
      'usual', round(j.usual, 4),
      'last_at', j.failed_last,
      'first_step', j.first_step,
      'first_error', j.first_error,
      'minutes', (
        select jsonb_agg(coalesce(m.failures, 0) order by g.no)
          from generate_series(0, 59) as g (no)
          left join (
            select floor(extract(epoch from q.bucket - (v_bucket - interval '1 hour')) / 60)::integer as no, sum(q.failures) as failures
              from tasker.error_counts as o
             cross join lateral (
               select o.bucket + (q.no - 1) * interval '15 seconds' as bucket, q.failures
                 from unnest(o.quarters) with ordinality as q (failures, no)
                where q.failures > 0
             ) as q
             where o.bucket = any (array[v_hour - interval '1 hour', v_hour])
               and o.fingerprint = j.fingerprint
               and q.bucket >= v_bucket - interval '1 hour'
             group by 1
          ) as m
            on least(m.no, 59) = g.no
      ),
      'templates', (
        select jsonb_agg(jsonb_build_object('template', format('%s@%s', d.name, d.version), 'steps', g.n) order by g.n desc, d.name, d.version)
          from (
            select s.named_task_uuid, s.failed as n
              from tasker.error_stands as s
             where s.fingerprint = j.fingerprint
               and s.failed > 0
             order by n desc, s.named_task_uuid
             limit 3
          ) as g
          join tasker.named_tasks as d
            on d.named_task_uuid = g.named_task_uuid
      )
    ) else '{}' end
  from judged as j;
end;
$$;

comment on function tasker.measure_failing is
$$Returns the causes of more failures than usual: causes with a larger share of failures than usual within the last
minute or the last five minutes, causes that were first seen within the last hour, and causes of open incidents for
which steps are still in error.$$;
