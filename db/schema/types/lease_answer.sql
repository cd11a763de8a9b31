create type tasker.lease_answer as enum (
  'extended',
  'saved',
  'stale',
  'cancelled',
  'not_found',
  'busy'
);

comment on type tasker.lease_answer is
  'The answer to the renewal of a step''s lease, or to a checkpoint of the step, which also renews the lease.';
