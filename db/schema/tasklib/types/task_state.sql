create type tasklib.task_state as enum (
  'pending',
  'running',
  'completed',
  'failed',
  'cancelled'
);

comment on type tasklib.task_state is
  'The state of a task: pending (also while a retry waits), running, and finally completed, failed or cancelled.';
