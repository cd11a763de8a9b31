create or replace function tasker.measure_schedules()
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
    format('schedule:%s/%s', s.namespace, s.schedule),
    'schedule',
    case when s.last_error is not null then 'failures' else 'missed' end,
    s.namespace,
    s.schedule,
    case
      when s.last_error is not null then format('Schedule %s of %s fails: %s', s.schedule, s.namespace, left(s.last_error, 300))
      else format('Schedule %s of %s is late', s.schedule, s.namespace)
    end,
    case
      when s.last_error is not null then tasker.incident_severity('schedule', 'failures', greatest(s.failures, 1))
      else tasker.incident_severity('schedule', 'missed', extract(epoch from tasker.clock() - s.due_at))
    end,
    coalesce(case when s.last_error is not null then s.last_error_at end, s.due_at, tasker.clock()),
    greatest(s.failures, 1)::bigint,
    jsonb_build_object('failures', s.failures, 'due_at', s.due_at)
  from tasker.schedules as s
  where s.paused_at is null
    and (s.last_error is not null or s.due_at < tasker.clock() - make_interval(secs => greatest(
      tasker.setting_integer('missed_tick_seconds'),
      (select r.look_at from tasker.incident_rules as r where r.kind = 'schedule' and r.rule = 'missed')
    )::double precision));
end;
$$;

comment on function tasker.measure_schedules is
$$Returns the schedules whose runs fail or are late. Leaves out paused schedules.$$;
