create or replace function tasker.get_dlq_dashboard()
  returns setof tasker.dlq_reasons
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_bound text[] := tasker.bound_namespaces();
begin
  return query
  select
    d.dlq_reason,
    count(*),
    count(*) filter (where d.resolution_status = 'pending'),
    count(*) filter (where d.resolution_status = 'manually_resolved'),
    count(*) filter (where d.resolution_status = 'permanently_failed'),
    count(*) filter (where d.resolution_status = 'cancelled'),
    min(d.dlq_timestamp),
    max(d.dlq_timestamp),
    round(avg(extract(epoch from d.resolution_timestamp - d.dlq_timestamp) / 60), 2)
  from tasker.tasks_dlq as d
  where (v_bound is null or d.task_snapshot #>> '{task,namespace}' = any (v_bound))
  group by d.dlq_reason
  order by d.dlq_reason;
end;
$$;

comment on function tasker.get_dlq_dashboard is
$$Returns for each reason the entries of the dead-letter queue: how many are open or ended in which way, the times of
the oldest and the newest entry, and how long it took to end entries. A bound caller sees only its own namespaces.$$;

grant execute on function tasker.get_dlq_dashboard to tasker_orchestrator, tasker_operator, tasker_reader;
