create table tasker.schema_objects (
  object      text  not null,
  definition  text  not null,
  grants      text  not null,

  constraint schema_objects_pkey
    primary key (object)
);

comment on table tasker.schema_objects is
  'The functions, views, tables and schemas as the newest migration left them. Each migration writes this table at its end.';
comment on column tasker.schema_objects.definition is
  'A digest: of the body and the options of a function, of the query of a view, of the columns, constraints and triggers of a table.';
comment on column tasker.schema_objects.grants is
  'The privileges of roles other than the owner.';

revoke all on table tasker.schema_objects from public;
