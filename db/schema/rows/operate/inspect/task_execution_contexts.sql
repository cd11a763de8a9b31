create or replace view tasker.task_execution_contexts as
select
  '00000000-0000-0000-0000-000000000000'::uuid as task_uuid,
  '00000000-0000-0000-0000-000000000000'::uuid as named_task_uuid,
  'pending'::tasker.task_state as status,
  0::bigint as total_steps,
  0::bigint as pending_steps,
  0::bigint as in_progress_steps,
  0::bigint as completed_steps,
  0::bigint as failed_steps,
  0::bigint as ready_steps,
  ''::text as execution_status,
  ''::text as recommended_action,
  0::numeric as completion_percentage,
  ''::text as health_status,
  0::bigint as enqueued_steps,
  0::bigint as retrying_steps,
  0::bigint as suspended_steps,
  0::bigint as cancelled_steps,
  0::bigint as exhausted_steps
where false;

comment on view tasker.task_execution_contexts is
  'Row type: the progress of a task, whether it is moving, and the recommended action.';
comment on column tasker.task_execution_contexts.pending_steps is
  'The number of steps that wait for their parents, or wait to be enqueued.';
comment on column tasker.task_execution_contexts.in_progress_steps is
  'The number of steps that a worker runs or whose result waits to be processed.';
comment on column tasker.task_execution_contexts.completed_steps is
  'The number of steps that are complete or resolved manually. Pending, enqueued, in progress, retrying, suspended, completed, failed and cancelled steps add up to all steps.';
comment on column tasker.task_execution_contexts.ready_steps is
  'The number of steps that may be enqueued now.';
comment on column tasker.task_execution_contexts.execution_status is
  'has_ready_steps, processing, waiting_for_retry, blocked_by_failures, all_complete, waiting_for_dependencies, or ended.';
comment on column tasker.task_execution_contexts.recommended_action is
  'execute_ready_steps, wait_for_completion, wait_for_retry, handle_failures, finalize_task, wait_for_dependencies, or none.';
comment on column tasker.task_execution_contexts.completion_percentage is
  'The percentage of steps that are settled, including cancelled steps. 100 for a task without steps.';
comment on column tasker.task_execution_contexts.health_status is
  'healthy, recovering (a step waits for a retry, or failed while others continue), blocked, or ended.';
comment on column tasker.task_execution_contexts.exhausted_steps is
  'The number of failed steps that cannot be retried, because they are not retryable or have no attempts left.';
