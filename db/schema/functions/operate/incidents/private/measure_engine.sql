create or replace function tasker.measure_engine()
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
    'timers', 'timers', 'failing', null::text, 'timers',
    format('%s %s cannot be fired', t.timers, case when t.timers = 1 then 'timer' else 'timers' end),
    tasker.incident_severity('timers', 'failing', t.timers), t.since, t.timers, '{}'::jsonb
  from (select tasker.count_failing_timers(null) as timers, (select min(f.failed_at) from tasker.failed_timers as f) as since) as t
  where t.timers > 0
  union all
  select
    'orchestrator', 'orchestrator', 'waiting', null::text, 'orchestrator',
    'Tasks wait for an orchestrator',
    tasker.incident_severity('orchestrator', 'waiting', extract(epoch from tasker.clock() - w.since)), w.since, w.tasks,
    jsonb_build_object('seconds', round(extract(epoch from tasker.clock() - w.since)))
  from (
    select min(w.waiting_since) as since, count(*) as tasks
      from (
        select w.waiting_since
          from tasker.waiting_tasks as w
         order by w.task_uuid
         limit 10001
      ) as w
  ) as w
  where w.since <= tasker.clock() - make_interval(secs => (
    select r.look_at from tasker.incident_rules as r where r.kind = 'orchestrator' and r.rule = 'waiting'
  )::double precision)
  union all
  select
    format('duty:%s', d.duty), 'duty', 'failed', null::text, d.duty,
    format('Maintenance duty %s fails: %s', d.duty, left(d.last_error, 300)),
    tasker.incident_severity('duty', 'failed', 1), coalesce(d.last_finished_at, tasker.clock()), 1::bigint,
    jsonb_build_object('failures', d.failures)
  from tasker.maintenance_duties as d
  where d.last_error is not null;
end;
$$;

comment on function tasker.measure_engine is
$$Returns problems of the engine itself: timers that cannot be fired, tasks that wait for an orchestrator, and
maintenance duties that failed.$$;
