create or replace view tasker.v_task_staleness_monitoring as
select
  s.task_uuid,
  s.namespace_name,
  s.task_name,
  s.task_version,
  s.current_state,
  s.priority,
  s.requested_at,
  s.in_state_since,
  s.progress_at,
  s.time_in_state_minutes,
  s.minutes_without_progress,
  s.task_age_minutes,
  s.threshold_minutes as staleness_threshold_minutes,
  s.waits_for,
  s.health_status,
  s.dlq_reason
from tasker.get_task_staleness() as s;

comment on view tasker.v_task_staleness_monitoring is
  'Open tasks, how long they have made no progress, and whether that is too long: healthy, warning or stale. At most 10,000, longest without progress first. A bound caller sees its namespaces only.';

grant select on table tasker.v_task_staleness_monitoring to tasker_orchestrator, tasker_operator, tasker_reader;
