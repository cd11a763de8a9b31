create table tasker.partitioned_tables (
  table_name      text      not null,
  position        smallint  not null,
  storage         text      not null,

  constraint partitioned_tables_pkey
    primary key (table_name),
  constraint partitioned_tables_position_key
    unique (position)
);

comment on table tasker.partitioned_tables is
  'The tables that are partitioned by the same ranges, in the order in which the engine locks them, with the storage parameters of their partitions.';
