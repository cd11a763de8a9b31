create type tasker.delivery as enum (
  'delivered',
  'kept',
  'repeated',
  'ended'
);

comment on type tasker.delivery is
  'The answer to a signal. tasker.signal_answers has the meaning of each answer.';
