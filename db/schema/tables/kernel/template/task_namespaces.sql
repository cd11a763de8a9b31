create table tasker.task_namespaces (
  task_namespace_uuid  uuid         not null  default tasker.uuid_generate_v7(),
  name                 text         not null,
  description          text,
  paused_at            timestamptz,
  paused_by            text,
  paused_login         text,
  paused_role          text,
  transport            text         not null  default 'table',
  notify               text,
  priority_modifier    numeric      not null  default 0,
  created_at           timestamptz  not null  default tasker.clock(),
  updated_at           timestamptz  not null  default tasker.clock(),

  constraint task_namespaces_pkey
    primary key (task_namespace_uuid),
  constraint task_namespaces_name_key
    unique (name),
  constraint task_namespaces_name_check
    check (name ~ '^[a-z][a-z0-9_]{0,28}$'),
  constraint task_namespaces_paused_check
    check ((paused_at is null) = (paused_by is null)),
  constraint task_namespaces_transport_check
    check (transport in ('table', 'pgmq', 'broker')),
  constraint task_namespaces_notify_check
    check (notify in ('always', 'asleep', 'off'))
);

comment on table tasker.task_namespaces is
  'A namespace groups task templates and has its own worker queue.';
comment on column tasker.task_namespaces.name is
  'At most 29 characters, so that its queue''s and its channel''s name fit into an identifier.';
comment on column tasker.task_namespaces.paused_by is
  'The name of the caller that paused the namespace, as the caller gave it. paused_login is the role that was logged in, and paused_role is the role that it had set if that is another.';
comment on column tasker.task_namespaces.transport is
  'table: workers claim from tasker.step_queue only; pgmq: each enqueued step is also announced by a message; broker: a relay publishes ready steps, and workers claim those that messages bring.';
comment on column tasker.task_namespaces.notify is
  'The times when NOTIFY announces the namespace''s ready steps and its tasks'' changes. Null means the setting notify.';
