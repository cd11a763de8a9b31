create or replace view tasker_compat.tasks_dlq as
select
  d.dlq_entry_uuid,
  d.task_uuid,
  d.original_state::text as original_state,
  d.dlq_reason,
  d.dlq_timestamp,
  d.resolution_status,
  d.resolution_timestamp,
  d.resolution_notes,
  d.resolved_by,
  d.task_snapshot,
  d.metadata,
  d.dlq_timestamp as created_at,
  coalesce(d.resolution_timestamp, d.dlq_timestamp) as updated_at
from tasker.tasks_dlq as d;

comment on view tasker_compat.tasks_dlq is
  'tasker.tasks_dlq with created_at and updated_at; states are text.';
