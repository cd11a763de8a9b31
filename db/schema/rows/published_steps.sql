create table tasker.published_steps (
  step_uuid       uuid     not null,
  task_uuid       uuid     not null,
  handler         text     not null,
  correlation_id  uuid     not null,
  again           boolean  not null,

  constraint published_steps_row_type_check
    check (false) no inherit
);

comment on table tasker.published_steps is
  'Row type: a step for which a message is to be sent.';
comment on column tasker.published_steps.again is
  'Whether a message was sent before and seems to be lost.';

revoke all on table tasker.published_steps from public;
