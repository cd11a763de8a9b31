-- down: nothing
create unlogged table tasker_pgmq.notify_insert_throttle (
  queue_name            varchar      not null,
  throttle_interval_ms  integer      not null  default 0,
  last_notified_at      timestamptz  not null  default to_timestamp(0),

  constraint notify_insert_throttle_queue_name_key
    unique (queue_name),
  constraint notify_insert_throttle_meta_queue_name_fk
    foreign key (queue_name) references tasker_pgmq.meta (queue_name) on delete cascade
)
with (fillfactor = 50);

comment on table tasker_pgmq.notify_insert_throttle is
  'The queues whose inserts notify, and how often at most. Empty after a crash: then there is no throttle.';

revoke all on table tasker_pgmq.notify_insert_throttle from public;
grant select on table tasker_pgmq.notify_insert_throttle to pg_monitor;
