-- down: nothing
create table tasker_pgmq.meta (
  queue_name      varchar      not null,
  is_partitioned  boolean      not null,
  is_unlogged     boolean      not null,
  created_at      timestamptz  not null  default now(),

  constraint meta_queue_name_key
    unique (queue_name)
);

create unique index meta_table_idx on tasker_pgmq.meta (lower(queue_name));

comment on table tasker_pgmq.meta is
  'The queues. Each queue has a table q_<name> and an archive a_<name>, in lower case.';
comment on index tasker_pgmq.meta_table_idx is
  'Forbids two names that differ only in case, because both queues would have the same tables.';

revoke all on table tasker_pgmq.meta from public;
grant select on table tasker_pgmq.meta to pg_monitor;
