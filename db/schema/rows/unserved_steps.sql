create table tasker.unserved_steps (
  namespace     text         not null,
  handler       text         not null,
  nearest       text,
  ready_since   timestamptz  not null,
  step_uuid     uuid         not null,

  constraint unserved_steps_row_type_check
    check (false) no inherit
);

comment on table tasker.unserved_steps is
  'Row type: a handler for which steps are ready in a namespace, and which no running worker has.';
comment on column tasker.unserved_steps.nearest is
  'The most similar handler of a running worker; null if none is similar.';
comment on column tasker.unserved_steps.step_uuid is
  'The step that has been ready longest, since ready_since.';

revoke all on table tasker.unserved_steps from public;
