create table tasker.step_totals (
  partition_suffix  text     not null,
  settled           boolean  not null,
  complete          bigint   not null  default 0,
  error             bigint   not null  default 0,
  cancelled         bigint   not null  default 0,
  resolved          bigint   not null  default 0,
  retries           bigint   not null  default 0,
  lost              bigint   not null  default 0,

  constraint step_totals_pkey
    primary key (partition_suffix, settled)
);

comment on table tasker.step_totals is
  'The number of steps in each final state, and of steps that were retried or lost their worker, for each partition. tasker.roll_up maintains this table.';
comment on column tasker.step_totals.error is
  'The number of steps that failed permanently, minus the number of those that an operator retried.';
