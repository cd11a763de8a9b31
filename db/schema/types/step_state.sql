create type tasker.step_state as enum (
  'pending',
  'enqueued',
  'in_progress',
  'enqueued_for_orchestration',
  'enqueued_as_error_for_orchestration',
  'waiting_for_retry',
  'suspended',
  'complete',
  'error',
  'cancelled',
  'resolved_manually'
);

comment on type tasker.step_state is
  'The state of a step. tasker.step_states has the meaning of each state, and tasker.step_state_machine has the transitions.';
