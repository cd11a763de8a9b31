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
  'How many tasks were started, and how many ended in which way, by partition and template. Health reads finished tasks only from here. tasker.roll_up maintains this table.';
comment on column tasker.task_totals.settled is
  'Whether rollups add to the row, or recount the row each time (see tasker.rollup_state).';
comment on column tasker.task_totals.reset is
  'Tasks that went back from error to pending.';
