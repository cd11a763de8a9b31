create table tasker.partition_sizes (
  starts_at  timestamptz  not null,
  ends_at    timestamptz  not null,
  suffix     text         not null,
  status     text         not null,
  tasks      bigint       not null,
  steps      bigint       not null,
  bytes      bigint       not null,
  detail     text,

  constraint partition_sizes_row_type_check
    check (false) no inherit
);

comment on table tasker.partition_sizes is
  'Row type: one range with its size and its status.';
comment on column tasker.partition_sizes.status is
  'ahead, current, kept, expired (to be dropped), held or busy.';
comment on column tasker.partition_sizes.tasks is
  'An estimate, from the server''s statistics.';
comment on column tasker.partition_sizes.bytes is
  'The size of all its partitions with their indexes.';

revoke all on table tasker.partition_sizes from public;
