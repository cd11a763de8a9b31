create or replace view tasker.workflow_step_transition_log as
select
  l.task_uuid,
  l.step_no,
  l.sort_key - u.after as sort_key,
  u.event,
  u.from_state,
  u.to_state,
  l.claim_no,
  case when u.position = 1 then l.execution_time_ms end::bigint as execution_time_ms,
  case when u.position = 1 then l.worker_uuid end as worker_uuid,
  l.actor,
  case when u.position = 1 then l.login end as login,
  case when u.position = 1 then l.role end as role,
  l.reason,
  case when u.position = 1 then l.result_digest end as result_digest,
  case when u.position = 1 then l.metadata end as metadata,
  l.created_at,
  l.xact,
  l.sort_key as row_key
from tasker.step_log as l
join tasker.step_log_paths as u
  on u.path = l.path;

comment on view tasker.workflow_step_transition_log is
  'Every transition of a step: the rows of tasker.step_log, each as the transitions of its path. The sort_key of the newest transition is the step''s transition_count.';
comment on column tasker.workflow_step_transition_log.row_key is
  'The key of the log row. A query for one sort_key must also name this key, as "row_key between k and k + 1", because the log has no index on sort_key.';
