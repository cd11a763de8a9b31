create table tasker.partition_foreign_keys (
  table_name          text  not null,
  columns             text  not null,
  referenced_table    text  not null,
  referenced_columns  text  not null,

  constraint partition_foreign_keys_pkey
    primary key (table_name, columns),
  constraint partition_foreign_keys_table_name_fkey
    foreign key (table_name) references tasker.partitioned_tables (table_name),
  constraint partition_foreign_keys_referenced_table_fkey
    foreign key (referenced_table) references tasker.partitioned_tables (table_name)
);

create index partition_foreign_keys_referenced_idx
  on tasker.partition_foreign_keys (referenced_table);

comment on index tasker.partition_foreign_keys_referenced_idx is
  'Serves the foreign key of referenced_table.';

comment on table tasker.partition_foreign_keys is
  'Foreign keys from the partitions of one range to those of the same range. Between the parents they would cost creation half as much again and stand in the way of retention.';

revoke all on table tasker.partition_foreign_keys from public;
