create type tasker.lease_answer as enum (
  'extended',
  'saved',
  'stale',
  'cancelled',
  'not_found',
  'busy'
);

comment on type tasker.lease_answer is
  'The answer to the renewal of the lease of a step, or to its checkpoint, which renews the lease, too.';
