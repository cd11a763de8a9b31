create table tasker.task_totals (
  partition_suffix  text     not null,
  named_task_uuid   uuid     not null,
  settled           boolean  not null,
  started           bigint   not null  default 0,
  completed         bigint   not null  default 0,
  failed            bigint   not null  default 0,
  cancelled         bigint   not null  default 0,
  resolved          bigint   not null  default 0,
  reset             bigint   not null  default 0,

  constraint task_totals_pkey
    primary key (partition_suffix, named_task_uuid, settled)
);

comment on table tasker.task_totals is
  'The number of tasks that were started, and of tasks that ended in each way, for each partition and template. The functions of health read counts of finished tasks only from this table. tasker.roll_up maintains this table.';
comment on column tasker.task_totals.settled is
  'Whether rollups add new work to the row. If false, each rollup counts the row again (tasker.rollup_state).';
comment on column tasker.task_totals.reset is
  'The number of times that a task went back from error to pending.';
