create table tasker.partition_backends (
  backend      text  not null,
  reason       text  not null,
  schema_name  text,
  version      text,

  constraint partition_backends_row_type_check
    check (false) no inherit
);

comment on table tasker.partition_backends is
  'Row type: which manager creates partitions, and why.';

revoke all on table tasker.partition_backends from public;
