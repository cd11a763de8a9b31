create table tasker.queue_messages (
  msg_id        bigint       not null,
  read_ct       integer      not null,
  enqueued_at   timestamptz  not null,
  vt            timestamptz  not null,
  message       jsonb,
  headers       jsonb,
  last_read_at  timestamptz,

  constraint queue_messages_row_type_check
    check (false) no inherit
);

comment on table tasker.queue_messages is
  'Row type: a message of a pgmq queue, the same for every version of pgmq.';
comment on column tasker.queue_messages.vt is
  'The message is visible from this time on.';
comment on column tasker.queue_messages.headers is
  'Null below pgmq 1.5.';
comment on column tasker.queue_messages.last_read_at is
  'Null if it was never read, and below pgmq 1.10.';

revoke all on table tasker.queue_messages from public;
