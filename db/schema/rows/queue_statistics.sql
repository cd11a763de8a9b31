create table tasker.queue_statistics (
  queue_name                  text     not null,
  queue_length                bigint   not null,
  oldest_msg_age_seconds      integer,
  newest_msg_age_seconds      integer,
  visible_length              bigint   not null,
  oldest_visible_age_seconds  integer,
  total_messages              bigint   not null,

  constraint queue_statistics_row_type_check
    check (false) no inherit
);

comment on table tasker.queue_statistics is
  'Row type: the statistics of a pgmq queue. Ages are null if there is no such message.';
comment on column tasker.queue_statistics.oldest_msg_age_seconds is
  'Since it was sent, whether it is visible or not.';
comment on column tasker.queue_statistics.oldest_visible_age_seconds is
  'How long the longest visible message has been visible: the lag of the consumers.';
comment on column tasker.queue_statistics.total_messages is
  'Messages ever sent.';

revoke all on table tasker.queue_statistics from public;
