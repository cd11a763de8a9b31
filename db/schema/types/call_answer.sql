create type tasker.call_answer as enum (
  'kept',
  'known',
  'diverged',
  'suspended',
  'ended',
  'continued',
  'stale',
  'cancelled'
);

comment on type tasker.call_answer is
  'The answer to a call of a durable function.';
