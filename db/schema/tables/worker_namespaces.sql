create table tasker.worker_namespaces (
  role_name  text         not null,
  namespace  text         not null,
  bound_at   timestamptz  not null  default tasker.clock(),
  bound_by   text         not null  default tasker.caller_name(),

  constraint worker_namespaces_pkey
    primary key (role_name, namespace),
  constraint worker_namespaces_namespace_fkey
    foreign key (namespace) references tasker.task_namespaces (name)
);

create index worker_namespaces_namespace_idx
  on tasker.worker_namespaces (namespace);

comment on index tasker.worker_namespaces_namespace_idx is
  'Serves the foreign key to task_namespaces.';

comment on table tasker.worker_namespaces is
  'Which namespaces a database role may work in. A role without a row may work in all.';

revoke all on table tasker.worker_namespaces from public;
