create or replace view tasker_compat.v_dlq_investigation_queue as
select
  d.dlq_entry_uuid,
  d.task_uuid,
  d.original_state::text as original_state,
  d.dlq_reason,
  d.dlq_timestamp,
  d.minutes_in_dlq,
  d.namespace_name,
  d.task_name,
  t.state::text as current_state,
  round(extract(epoch from tasker.clock() - t.updated_at) / 60)::integer as time_in_state_minutes,
  d.priority_score
from tasker.get_dlq_investigation_queue(10000) as d
left join tasker.tasks as t
  on t.task_uuid = d.task_uuid
order by d.priority_score desc, d.dlq_entry_uuid;

comment on view tasker_compat.v_dlq_investigation_queue is
  'The first 10,000 rows of tasker.get_dlq_investigation_queue() with the present state of the task, null if its partition was dropped.';
