create unlogged table tasker.queue_notifications (
  queue_name        text         not null,
  last_notified_at  timestamptz  not null,

  constraint queue_notifications_pkey
    primary key (queue_name)
)
with (fillfactor = 50);

comment on table tasker.queue_notifications is
  'The time when clients were last notified of a queue''s messages. Rows are written only while the setting queue_notify_throttle_ms is above 0.';
