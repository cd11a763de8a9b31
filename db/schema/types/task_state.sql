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
  'The state of a task. tasker.task_states has the meaning of each state, and tasker.task_state_machine has the transitions.';
