create table tasker.handler_pauses (
  namespace        text         not null,
  named_step_uuid  uuid         not null,
  handler          text         not null,
  until            timestamptz,
  reason           text,
  paused_at        timestamptz  not null  default tasker.clock(),
  paused_by        text         not null,
  paused_login     text         not null,
  paused_role      text,
  template         text,

  constraint handler_pauses_pkey
    primary key (namespace, named_step_uuid),
  constraint handler_pauses_namespace_fkey
    foreign key (namespace) references tasker.task_namespaces (name),
  constraint handler_pauses_named_step_uuid_fkey
    foreign key (named_step_uuid) references tasker.named_steps (named_step_uuid)
);

create index handler_pauses_named_step_uuid_idx
  on tasker.handler_pauses (named_step_uuid);

comment on index tasker.handler_pauses_named_step_uuid_idx is
  'Serves the foreign key to named_steps.';

comment on table tasker.handler_pauses is
  'Handlers that an operator has paused in a namespace: no step of such a handler is claimed until the handler is resumed.';
comment on column tasker.handler_pauses.until is
  'The time when the pause should end. The pause does not end by itself, but a pause past this time is an incident. Null means that no end was given.';
comment on column tasker.handler_pauses.template is
  'The template that was paused, with this handler as one of its handlers: tasker.resume_template ends the pause. Null if the handler was paused by itself.';
comment on column tasker.handler_pauses.paused_by is
  'The name of the caller that paused the handler, as the caller gave it. paused_login is the role that was logged in, and paused_role is the role that it had set if that is another.';
