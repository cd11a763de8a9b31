create table tasker.administered_tables (
  name         text     not null,
  key_columns  text[]   not null,
  left_out     text[]   not null  default '{}',
  seeded       boolean  not null  default false,

  constraint administered_tables_pkey
    primary key (name)
);

comment on table tasker.administered_tables is
  'The tables whose rows belong to no task. Their changes are in tasker.administration_log.';
comment on column tasker.administered_tables.name is
  'The name of the table. It includes the schema unless the schema is tasker.';
comment on column tasker.administered_tables.key_columns is
  'The columns that identify an object for people.';
comment on column tasker.administered_tables.left_out is
  'The columns that the engine writes while it works, and secrets. The log does not have these columns.';
comment on column tasker.administered_tables.seeded is
  'Whether migrations insert rows into the table. The log has no entry for such a row until the row changes.';
