create or replace view tasker.v_dlq_investigation_queue
  with (security_barrier = true)
as
select
  d.dlq_entry_uuid,
  d.task_uuid,
  d.task_snapshot #>> '{task,namespace}' as namespace_name,
  d.task_snapshot #>> '{task,name}' as task_name,
  d.original_state,
  d.dlq_reason,
  d.dlq_timestamp,
  round(extract(epoch from tasker.clock() - d.dlq_timestamp) / 60, 2) as minutes_in_dlq,
  case d.dlq_reason
    when 'dependency_cycle_detected' then 1000
    when 'max_retries_exceeded' then 500
    when 'staleness_timeout' then 100
    when 'worker_unavailable' then 50
    else 10
  end + round(extract(epoch from tasker.clock() - d.dlq_timestamp) / 60, 2) as priority_score,
  d.resolution_notes,
  d.metadata
from tasker.tasks_dlq as d
where d.resolution_status = 'pending'
  and ((select tasker.bound_namespaces()) is null or d.task_snapshot #>> '{task,namespace}' = any ((select tasker.bound_namespaces())::text[]))
order by priority_score desc, d.dlq_entry_uuid;

comment on view tasker.v_dlq_investigation_queue is
  'Open investigations, the most urgent first: by reason, then by how long they have waited. A bound caller sees its namespaces only.';

grant select on table tasker.v_dlq_investigation_queue to tasker_orchestrator, tasker_operator, tasker_reader;
