create or replace view tasker_compat.workflow_steps as
select
  s.workflow_step_uuid,
  s.workflow_step_uuid as uuid,
  s.task_uuid,
  s.named_step_uuid,
  s.name,
  s.state::text as state,
  s.state::text as current_state,
  s.state in ('complete', 'resolved_manually') as processed,
  tasker.step_state_is_in_processing_pipeline(s.state::text) as in_process,
  s.retryable,
  s.attempts,
  s.max_attempts,
  s.max_attempts as retry_limit,
  s.backoff_request_seconds,
  s.last_attempted_at,
  s.last_failure_at,
  s.next_retry_at,
  s.processed_at,
  s.inputs,
  s.results,
  s.checkpoint,
  s.created_at,
  coalesce(s.processed_at, s.last_failure_at, s.last_attempted_at, s.created_at) as updated_at
from tasker.workflow_steps as s;

comment on view tasker_compat.workflow_steps is
  'tasker.workflow_steps with processed, in_process and retry_limit, which are expressions over the state; states are text.';
