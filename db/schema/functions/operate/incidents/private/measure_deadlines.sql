create or replace function tasker.measure_deadlines()
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
    format('deadline:%s', d.namespace),
    'deadline',
    'late',
    d.namespace,
    d.namespace,
    format('Deadlines ended tasks of %s', d.namespace),
    tasker.incident_severity('deadline', 'late', d.tasks),
    d.since,
    d.tasks,
    jsonb_build_object('first_task', d.first_task)
  from (
    select n.name as namespace, count(*) as tasks, min(e.created_at) as since, (array_agg(e.task_uuid order by e.created_at))[1] as first_task
      from (
        select l.task_uuid, l.path, l.created_at
          from tasker.task_log as l
         where l.path >= 1000
           and l.path / 1000 = 1 -- paths that end in error
           and l.task_uuid >= (
             lpad(to_hex((extract(epoch from tasker.clock() - interval '7 days') * 1000)::bigint), 12, '0') || repeat('0', 20)
           )::uuid
         order by l.task_uuid desc
         limit 2000
      ) as e
      join tasker.task_log_paths as u
        on u.path = e.path
       and u.after = 0
      join tasker.tasks as t
        on t.task_uuid = e.task_uuid
      join tasker.named_tasks as k
        on k.named_task_uuid = t.named_task_uuid
      join tasker.task_namespaces as n
        on n.task_namespace_uuid = k.task_namespace_uuid
     where u.event = 'Timeout'
       and e.created_at > tasker.clock() - interval '1 hour'
       and t.state = 'error'
     group by n.name
  ) as d;
end;
$$;

comment on function tasker.measure_deadlines is
$$Returns the namespaces in which deadlines have failed tasks within the last hour, and the number of these tasks. Reads
the newest 2,000 tasks in the state "error" that were created within the last week.$$;
