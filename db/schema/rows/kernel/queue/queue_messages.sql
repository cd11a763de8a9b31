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
  'Row type: a message of a pgmq queue, the same for every version of pgmq.';
comment on column tasker.queue_messages.vt is
  'The message is visible from this time on.';
comment on column tasker.queue_messages.headers is
  'Null below pgmq 1.5.';
comment on column tasker.queue_messages.last_read_at is
  'Null if it was never read, and below pgmq 1.10.';
