create table tasker.partition_config (
  only_row            boolean   not null  default true,
  partition_interval  interval  not null  default '1 month',
  premake             integer   not null  default 3,
  retention           interval  not null  default '90 days',
  backend             text      not null  default 'auto',
  pg_partman_problem  text,

  constraint partition_config_pkey
    primary key (only_row),
  constraint partition_config_only_row_check
    check (only_row),
  constraint partition_config_partition_interval_check
    check (tasker.partition_unit(partition_interval) is not null),
  constraint partition_config_premake_check
    check (premake between 1 and 100),
  constraint partition_config_retention_check
    check (retention >= interval '1 day'),
  constraint partition_config_backend_check
    check (backend in ('auto', 'builtin', 'pg_partman'))
);

comment on table tasker.partition_config is
  'The configuration of the partitions of the run tables. tasker.setup_partitioning sets the one row.';
comment on column tasker.partition_config.premake is
  'The number of ranges that should exist after the current range.';
comment on column tasker.partition_config.backend is
  'The manager that creates partitions. "auto" means pg_partman if pg_partman can create the ranges, and otherwise the engine itself.';
comment on column tasker.partition_config.pg_partman_problem is
  'The reason why the last attempt of pg_partman failed. Null if it did not fail.';
