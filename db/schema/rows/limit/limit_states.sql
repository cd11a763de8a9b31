create table tasker.limit_states (
  place        integer  not null,
  limit_no     integer  not null,
  limit_key    text     not null,
  version      integer  not null,
  concurrency  integer,
  running      bigint   not null,
  interval_us  bigint,
  burst        integer  not null,
  ahead_us     bigint   not null,
  free         integer  not null,
  taken        integer  not null,

  constraint limit_states_row_type_check
    check (false) no inherit
);

comment on table tasker.limit_states is
  'Row type: a key that a claim has locked, what runs of it, and how many more may start.';
comment on column tasker.limit_states.interval_us is
  'The time between two starts of an even rate, in microseconds; null without a rate.';
comment on column tasker.limit_states.ahead_us is
  'How far the key''s paid_until lies ahead of now.';

revoke all on table tasker.limit_states from public;
