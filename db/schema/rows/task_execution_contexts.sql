create table tasker.task_execution_contexts (
  task_uuid              uuid               not null,
  named_task_uuid        uuid               not null,
  status                 tasker.task_state  not null,
  total_steps            bigint             not null,
  pending_steps          bigint             not null,
  in_progress_steps      bigint             not null,
  completed_steps        bigint             not null,
  failed_steps           bigint             not null,
  ready_steps            bigint             not null,
  execution_status       text               not null,
  recommended_action     text               not null,
  completion_percentage  numeric            not null,
  health_status          text               not null,
  enqueued_steps         bigint             not null,
  retrying_steps         bigint             not null,
  suspended_steps        bigint             not null,
  cancelled_steps        bigint             not null,
  exhausted_steps        bigint             not null,

  constraint task_execution_contexts_row_type_check
    check (false) no inherit
);

comment on table tasker.task_execution_contexts is
  'Row type: a task''s progress, whether it moves, and the next action.';
comment on column tasker.task_execution_contexts.pending_steps is
  'Steps that wait for their parents or to be enqueued.';
comment on column tasker.task_execution_contexts.in_progress_steps is
  'Steps that a worker runs, or with a result that waits to be processed.';
comment on column tasker.task_execution_contexts.completed_steps is
  'Steps that are complete or resolved manually. Pending, enqueued, in progress, retrying, suspended, completed, failed and cancelled steps add up to all steps.';
comment on column tasker.task_execution_contexts.ready_steps is
  'Steps that may be enqueued now.';
comment on column tasker.task_execution_contexts.execution_status is
  'has_ready_steps, processing, waiting_for_retry, blocked_by_failures, all_complete, waiting_for_dependencies, or ended.';
comment on column tasker.task_execution_contexts.recommended_action is
  'execute_ready_steps, wait_for_completion, wait_for_retry, handle_failures, finalize_task, wait_for_dependencies, or none.';
comment on column tasker.task_execution_contexts.completion_percentage is
  'Share of the steps that are settled, cancelled ones included; 100 for a task without steps.';
comment on column tasker.task_execution_contexts.health_status is
  'healthy, recovering (a step waits for a retry, or failed while others continue), blocked, or ended.';
comment on column tasker.task_execution_contexts.exhausted_steps is
  'Failed steps that cannot be retried: not retryable, or out of attempts.';

revoke all on table tasker.task_execution_contexts from public;
