create table tasker.held_partitions (
  starts_at       timestamptz  not null,
  ends_at         timestamptz  not null,
  open_tasks      bigint       not null,
  investigations  bigint       not null,
  young_tasks     bigint       not null,
  first_task      uuid         not null,
  reason          text         not null,

  constraint held_partitions_row_type_check
    check (false) no inherit
);

comment on table tasker.held_partitions is
  'Row type: why a range may not be dropped.';
comment on column tasker.held_partitions.open_tasks is
  'Tasks that have not ended.';
comment on column tasker.held_partitions.investigations is
  'Tasks whose entry in the dead-letter queue is not resolved.';
comment on column tasker.held_partitions.young_tasks is
  'Ended tasks that are younger than the range: created while no newer range existed.';

revoke all on table tasker.held_partitions from public;
