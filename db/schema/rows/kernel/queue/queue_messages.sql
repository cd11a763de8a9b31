create or replace view tasker.queue_messages as
select
  0::bigint as msg_id,
  0::integer as read_ct,
  '-infinity'::timestamptz as enqueued_at,
  '-infinity'::timestamptz as vt,
  null::jsonb as message,
  null::jsonb as headers,
  null::timestamptz as last_read_at
where false;

comment on view tasker.queue_messages is
  'Row type: a message of a pgmq queue. The row type is the same for every version of pgmq.';
comment on column tasker.queue_messages.vt is
  'The time from which the message is visible.';
comment on column tasker.queue_messages.headers is
  'The headers of the message. Null in versions of pgmq before 1.5.';
comment on column tasker.queue_messages.last_read_at is
  'The time when the message was last read. Null if it was never read, and in versions of pgmq before 1.10.';
