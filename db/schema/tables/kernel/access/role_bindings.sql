create table tasker.role_bindings (
  role       regrole      not null,
  namespace  text         not null,
  bound_at   timestamptz  not null  default tasker.clock(),
  bound_by   text         not null  default tasker.recorded_caller(),

  constraint role_bindings_pkey
    primary key (role, namespace),
  constraint role_bindings_namespace_fkey
    foreign key (namespace) references tasker.task_namespaces (name)
);

create index role_bindings_namespace_idx
  on tasker.role_bindings (namespace);

comment on index tasker.role_bindings_namespace_idx is
  'Serves the foreign key to task_namespaces.';

comment on table tasker.role_bindings is
  'The namespaces that a database role is bound to. While this table is empty, no role is bound.';
comment on column tasker.role_bindings.role is
  'The oid of the role, so that a renamed role stays bound. A dump has the name, so that a restored role stays bound, too.';
