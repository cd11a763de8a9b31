create type tasklib.task_state as enum (
  'pending',
  'running',
  'completed',
  'failed',
  'cancelled'
);

comment on type tasklib.task_state is
  'Where a task stands: pending (also while a retry waits), running, and for good completed, failed or cancelled.';
