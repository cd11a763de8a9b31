create table tasker.step_readiness_status (
  workflow_step_uuid         uuid               not null,
  task_uuid                  uuid               not null,
  named_step_uuid            uuid               not null,
  name                       text               not null,
  current_state              tasker.step_state  not null,
  dependencies_satisfied     boolean            not null,
  retry_eligible             boolean            not null,
  ready_for_execution        boolean            not null,
  last_failure_at            timestamptz,
  next_retry_at              timestamptz,
  total_parents              integer            not null,
  completed_parents          integer            not null,
  attempts                   integer            not null,
  retry_limit                integer            not null,
  backoff_request_seconds    integer,
  last_attempted_at          timestamptz,
  effective_backoff_seconds  numeric            not null,
  blocking_reason            text,

  constraint step_readiness_status_row_type_check
    check (false) no inherit
);

comment on table tasker.step_readiness_status is
  'Row type: a step, whether it may run now, and if not, why.';
comment on column tasker.step_readiness_status.dependencies_satisfied is
  'Whether all parents have settled and the step''s join holds for their outcomes.';
comment on column tasker.step_readiness_status.retry_eligible is
  'Whether it may run (again): it has never run, or it is retryable and has attempts left.';
comment on column tasker.step_readiness_status.next_retry_at is
  'Until when it waits for its next attempt; null in all states except waiting_for_retry.';
comment on column tasker.step_readiness_status.completed_parents is
  'Parents that are complete or resolved manually.';
comment on column tasker.step_readiness_status.retry_limit is
  'Its max_attempts.';
comment on column tasker.step_readiness_status.effective_backoff_seconds is
  'The wait after its last attempt, before jitter: as its worker asked, else by its policy; 0 before the first.';
comment on column tasker.step_readiness_status.blocking_reason is
  'Null if it is ready. Else invalid_state, dependencies_not_satisfied, retry_not_eligible, backoff_not_expired, task_ended, task_halted, task_not_started, namespace_paused or map_has_no_handler.';

revoke all on table tasker.step_readiness_status from public;
