create or replace view tasker.step_readiness_status as
select
  '00000000-0000-0000-0000-000000000000'::uuid as workflow_step_uuid,
  '00000000-0000-0000-0000-000000000000'::uuid as task_uuid,
  '00000000-0000-0000-0000-000000000000'::uuid as named_step_uuid,
  ''::text as name,
  'pending'::tasker.step_state as current_state,
  false::boolean as dependencies_satisfied,
  false::boolean as retry_eligible,
  false::boolean as ready_for_execution,
  null::timestamptz as last_failure_at,
  null::timestamptz as next_retry_at,
  0::integer as total_parents,
  0::integer as completed_parents,
  0::integer as attempts,
  0::integer as retry_limit,
  null::double precision as backoff_request_seconds,
  null::timestamptz as last_attempted_at,
  0::numeric as effective_backoff_seconds,
  null::text as blocking_reason
where false;

comment on view tasker.step_readiness_status is
  'Row type: a step with its readiness: whether the step may run now, and otherwise the reason.';
comment on column tasker.step_readiness_status.dependencies_satisfied is
  'Whether all parents have settled and the step''s join holds for their outcomes.';
comment on column tasker.step_readiness_status.retry_eligible is
  'Whether the step may run (again): it has never run, or it is retryable and has attempts left.';
comment on column tasker.step_readiness_status.next_retry_at is
  'The time until which the step waits for its next attempt. Null in all states except waiting_for_retry.';
comment on column tasker.step_readiness_status.completed_parents is
  'The number of parents that are complete or resolved manually.';
comment on column tasker.step_readiness_status.retry_limit is
  'The largest number of attempts that the step may have (max_attempts).';
comment on column tasker.step_readiness_status.effective_backoff_seconds is
  'The wait after the step''s last attempt, without jitter. It is the wait that the worker asked for, or else the wait that the retry policy gives. 0 before the first attempt.';
comment on column tasker.step_readiness_status.blocking_reason is
  'Null if the step is ready. Otherwise invalid_state, dependencies_not_satisfied, retry_not_eligible, backoff_not_expired, task_ended, task_halted, task_not_started, namespace_paused or map_has_no_handler.';
