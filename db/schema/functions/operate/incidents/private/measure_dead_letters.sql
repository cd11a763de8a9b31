create or replace function tasker.measure_dead_letters()
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
    format('dead_letters:%s', d.namespace),
    'dead_letters',
    'entries',
    d.namespace,
    d.namespace,
    format('Dead letters of %s wait for an investigation', d.namespace),
    tasker.incident_severity('dead_letters', 'entries', d.entries),
    d.since,
    d.entries,
    '{}'::jsonb
  from (
    select n.name as namespace, count(*) as entries, min(q.dlq_timestamp) as since
      from (
        select q.task_uuid, q.dlq_timestamp
          from tasker.tasks_dlq as q
         where q.resolution_status = 'pending'
         limit 1000
      ) as q
      join tasker.tasks as t
        on t.task_uuid = q.task_uuid
      join tasker.named_tasks as k
        on k.named_task_uuid = t.named_task_uuid
      join tasker.task_namespaces as n
        on n.task_namespace_uuid = k.task_namespace_uuid
     group by n.name
  ) as d;
end;
$$;

comment on function tasker.measure_dead_letters is
$$Returns the namespaces with open investigations of dead letters.$$;
