create table tasker.administration_log (
  entry_no    bigint       not null  generated always as identity,
  logged_at   timestamptz  not null  default tasker.clock(),
  kind        text         not null,
  object      text         not null,
  namespaces  text[],
  action      text         not null,
  call        text,
  login       text         not null  default session_user,
  role        text                   default tasker.set_role(),
  token       text                   default tasker.token_name(),
  actor       text,
  reason      text,
  was         jsonb,
  becomes     jsonb,

  constraint administration_log_pkey
    primary key (entry_no),
  constraint administration_log_action_check
    check (action in ('insert', 'update', 'delete', 'truncate'))
);

create index administration_log_object_idx
  on tasker.administration_log (kind, object, entry_no);

comment on index tasker.administration_log_object_idx is
  'Serves the history of one object, and the check that the object matches its newest entry.';

comment on table tasker.administration_log is
  'The changes of all objects outside of tasks: settings, bindings, tokens, access maps, sessions, templates, limits, schedules, subscriptions, namespaces, partitions, queues. Rows never change.';
comment on column tasker.administration_log.namespaces is
  'The namespaces that the object belongs to. Null if the object concerns all namespaces.';
comment on column tasker.administration_log.call is
  'The function that changed the object. Null if a statement of the owner changed it directly.';
comment on column tasker.administration_log.actor is
  'The name that the caller gave for itself, or else the name that is stored in the object.';
comment on column tasker.administration_log.reason is
  'The reason that the caller gave for the change.';
comment on column tasker.administration_log.was is
  'The object before the change, without secrets and without the values that the engine writes while it works. Null if the object was new.';
