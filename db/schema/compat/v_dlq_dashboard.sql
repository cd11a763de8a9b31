create or replace view tasker_compat.v_dlq_dashboard as
select
  d.dlq_reason,
  d.total_entries,
  d.pending,
  d.manually_resolved,
  d.permanently_failed as permanent_failures,
  d.cancelled,
  d.oldest_entry,
  d.newest_entry,
  d.avg_resolution_minutes as avg_resolution_time_minutes
from tasker.get_dlq_dashboard() as d;

comment on view tasker_compat.v_dlq_dashboard is
  'The rows of tasker.get_dlq_dashboard() with permanent_failures and avg_resolution_time_minutes, which counts ended investigations only.';
