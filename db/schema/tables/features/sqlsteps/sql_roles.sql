create table tasker.sql_roles (
  namespace  text         not null,
  role       regrole      not null,
  bound_at   timestamptz  not null  default tasker.clock(),
  bound_by   text         not null  default tasker.recorded_caller(),

  constraint sql_roles_pkey
    primary key (namespace),
  constraint sql_roles_namespace_fkey
    foreign key (namespace) references tasker.task_namespaces (name)
);

comment on table tasker.sql_roles is
  'The roles that SQL steps run as, one role for each namespace that has SQL steps. tasker.bind_sql_role writes this table.';
comment on column tasker.sql_roles.role is
  'The oid of the role, so that a renamed role stays bound. A dump has the name, so that a restored role stays bound, too.';
