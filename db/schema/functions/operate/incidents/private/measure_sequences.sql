create or replace function tasker.measure_sequences()
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
    format('sequence:%s/%s', b.namespace, b.name),
    'sequence',
    'blocked',
    b.namespace,
    b.name,
    case when b.tasks = 1 then format('A failed task of %s/%s holds up the sequence of key "%s"', b.namespace, b.name, left(b.keys[1], 100))
         else format('Failed tasks of %s/%s hold up %s sequences', b.namespace, b.name, b.tasks)
    end,
    tasker.incident_severity('sequence', 'blocked', b.tasks),
    b.since,
    b.tasks,
    jsonb_build_object('first_task', b.uuids[1], 'key', left(b.keys[1], 200))
  from (
    select
      r.namespace, r.name, count(*) as tasks, min(t.updated_at) as since,
      array_agg(r.task_uuid order by t.updated_at, r.task_uuid) as uuids, array_agg(r.run_key order by t.updated_at, r.task_uuid) as keys
    from (
      select r.task_uuid, r.namespace, r.name, r.run_key
        from tasker.runs as r
       where r.state = 'running'
       order by r.run_at
       limit 1000
    ) as r
    cross join lateral (
      select t.updated_at
        from tasker.tasks as t
       where t.task_uuid = r.task_uuid
         and t.state in ('error', 'blocked_by_failures')
      offset 0
    ) as t
    where exists (
      select
        from tasker.runs as w
       where w.namespace = r.namespace
         and w.name = r.name
         and w.run_key = r.run_key
         and w.state = 'waiting'
    )
    group by r.namespace, r.name
  ) as b;
end;
$$;

comment on function tasker.measure_sequences is
$$Returns the templates with failed tasks that block the tasks after them in the sequence of their key. Reads the 1,000
tasks that have had their place longest.$$;
