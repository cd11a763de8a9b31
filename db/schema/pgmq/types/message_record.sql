-- down: nothing
create type tasker_pgmq.message_record as (
  msg_id        bigint,
  read_ct       integer,
  enqueued_at   timestamptz,
  last_read_at  timestamptz,
  vt            timestamptz,
  message       jsonb,
  headers       jsonb
);

comment on type tasker_pgmq.message_record is
  'A message as the function read returns it, with the columns of pgmq 1.10 and later.';
