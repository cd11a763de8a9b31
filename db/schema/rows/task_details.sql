create table tasker.task_details (
  task_uuid              uuid               not null,
  namespace              text               not null,
  name                   text               not null,
  version                text               not null,
  state                  tasker.task_state  not null,
  complete               boolean            not null,
  priority               integer            not null,
  total_steps            integer            not null,
  open_steps             integer            not null,
  active_steps           integer            not null,
  retrying_steps         integer            not null,
  suspended_steps        integer            not null,
  failed_steps           integer            not null,
  requested_at           timestamptz        not null,
  updated_at             timestamptz        not null,
  started_at             timestamptz,
  completed_at           timestamptz,
  deadline               timestamptz,
  processor_uuid         uuid,
  correlation_id         uuid               not null,
  parent_correlation_id  uuid,
  initiator              text,
  source_system          text,
  reason                 text,
  tags                   text[]             not null,
  headers                jsonb              not null,
  context                jsonb,
  parent_step_uuid       uuid,
  depth                  integer            not null,
  undo                   jsonb,

  constraint task_details_row_type_check
    check (false) no inherit
);

comment on table tasker.task_details is
  'Row type: a task as lists show it.';
comment on column tasker.task_details.context is
  'Null in lists.';

comment on column tasker.task_details.undo is
  'Null unless the task is or was undone: the phase (drain, while steps in progress end; undo, while compensations run; done), the event that asked for it, the state that it leads to, who, since when, and metadata with the reason.';

revoke all on table tasker.task_details from public;
