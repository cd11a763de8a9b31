create or replace view tasker.v_dlq_dashboard
  with (security_barrier = true)
as
select
  d.dlq_reason,
  count(*) as total_entries,
  count(*) filter (where d.resolution_status = 'pending') as pending,
  count(*) filter (where d.resolution_status = 'manually_resolved') as manually_resolved,
  count(*) filter (where d.resolution_status = 'permanently_failed') as permanently_failed,
  count(*) filter (where d.resolution_status = 'cancelled') as cancelled,
  min(d.dlq_timestamp) as oldest_entry,
  max(d.dlq_timestamp) as newest_entry,
  round(avg(extract(epoch from d.resolution_timestamp - d.dlq_timestamp) / 60), 2) as avg_resolution_minutes
from tasker.tasks_dlq as d
where ((select tasker.bound_namespaces()) is null or d.task_snapshot #>> '{task,namespace}' = any ((select tasker.bound_namespaces())::text[]))
group by d.dlq_reason;

comment on view tasker.v_dlq_dashboard is
  'The dead-letter queue by reason: entries by how they ended, the oldest and the newest, and the time to end them. A bound caller sees its namespaces only.';

grant select on table tasker.v_dlq_dashboard to tasker_orchestrator, tasker_operator, tasker_reader;
