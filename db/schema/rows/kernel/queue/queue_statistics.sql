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
  'Row type: the statistics of a pgmq queue. An age is null if there is no such message.';
comment on column tasker.queue_statistics.oldest_msg_age_seconds is
  'The age of the oldest message since it was sent, whether it is visible or not.';
comment on column tasker.queue_statistics.oldest_visible_age_seconds is
  'The time for which the longest visible message has been visible: the lag of the consumers.';
comment on column tasker.queue_statistics.total_messages is
  'Messages ever sent.';
