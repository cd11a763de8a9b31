-- down: nothing
create type tasker_pgmq.queue_record as (
  queue_name      varchar,
  is_partitioned  boolean,
  is_unlogged     boolean,
  created_at      timestamptz
);

comment on type tasker_pgmq.queue_record is
  'A queue as list_queues returns it.';
