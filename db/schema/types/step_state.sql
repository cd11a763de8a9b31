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
  'Where a step stands. What each state means is in tasker.step_states, what may follow it in tasker.step_state_machine.';
