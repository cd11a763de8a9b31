create type tasker.result_answer as enum (
  'completed',
  'retrying',
  'failed',
  'recorded',
  'already_complete',
  'stale',
  'cancelled',
  'too_large',
  'not_found',
  'busy',
  'released',
  'gone',
  'paused',
  'limited'
);

comment on type tasker.result_answer is
  'The answer to the result, the release or the delivery of a step. The columns and functions that return an answer say which of these answers they return.';
