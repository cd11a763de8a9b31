create type tasker.delivery as enum (
  'delivered',
  'kept',
  'repeated',
  'ended'
);

comment on type tasker.delivery is
  'What became of a signal. tasker.signal_answers has the meaning of each.';
