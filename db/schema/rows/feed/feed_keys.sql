create table tasker.feed_keys (
  created_at  timestamptz  not null,
  task_uuid   uuid         not null,
  step_no     integer      not null,
  sort_key    integer      not null,

  constraint feed_keys_row_type_check
    check (false) no inherit
);

comment on table tasker.feed_keys is
  'Row type: which transition an event of the feed is, in the order of delivery. Step number 0 is the task''s own, sort_key 0 its creation.';

revoke all on table tasker.feed_keys from public;
