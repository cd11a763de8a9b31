create table tasker.event_triggers (
  named_task_uuid  uuid      not null,
  trigger_no       integer   not null,
  action           text      not null,
  namespace        text      not null,
  event            text      not null,
  event_key        text,
  condition        text,
  context          jsonb,
  identity         text,

  constraint event_triggers_pkey
    primary key (named_task_uuid, trigger_no),
  constraint event_triggers_named_task_uuid_fkey
    foreign key (named_task_uuid) references tasker.named_tasks (named_task_uuid),
  constraint event_triggers_action_check
    check (action in ('cancel', 'start'))
);

create index event_triggers_event_idx
  on tasker.event_triggers (namespace, event);

comment on index tasker.event_triggers_event_idx is
  'Serves tasker.emit_event: the templates that an event concerns.';

comment on table tasker.event_triggers is
  'The events that start tasks of a version of a template (start_on) or cancel them (cancel_on). The rows repeat a part of the version''s content, so that it can be searched by event.';
comment on column tasker.event_triggers.event_key is
  'The key that an event must have. Null means any key.';
comment on column tasker.event_triggers.condition is
  'A jsonpath predicate on the payload. Null means any payload.';
comment on column tasker.event_triggers.context is
  'The context of the task, with paths of the payload. Null means the whole payload.';
comment on column tasker.event_triggers.identity is
  'A path of the payload that leads to the identity key of the task, or the key itself. Null means the key of the event.';
