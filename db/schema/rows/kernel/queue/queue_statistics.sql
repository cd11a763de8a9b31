create or replace view tasker.queue_statistics as
select
  ''::text as queue_name,
  0::bigint as queue_length,
  null::integer as oldest_msg_age_seconds,
  null::integer as newest_msg_age_seconds,
  0::bigint as visible_length,
  null::integer as oldest_visible_age_seconds,
  0::bigint as total_messages
where false;

comment on view tasker.queue_statistics is
  'Row type: the statistics of a pgmq queue. A column with an age is null if the queue has no such message.';
comment on column tasker.queue_statistics.oldest_msg_age_seconds is
  'The number of seconds since the oldest message was sent, whether or not that message is visible.';
comment on column tasker.queue_statistics.oldest_visible_age_seconds is
  'The number of seconds since the first of the visible messages became visible. This is the lag of the consumers.';
comment on column tasker.queue_statistics.total_messages is
  'The number of messages that were ever sent to the queue.';
