create type tasker.task_state as enum (
  'pending',
  'initializing',
  'enqueuing_steps',
  'steps_in_process',
  'evaluating_results',
  'waiting_for_dependencies',
  'waiting_for_retry',
  'blocked_by_failures',
  'complete',
  'error',
  'cancelled',
  'resolved_manually'
);

comment on type tasker.task_state is
  'Where a task stands. What each state means is in tasker.task_states, what may follow it in tasker.task_state_machine.';
