create table tasker.running_steps (
  step_uuid     uuid         not null,
  task_uuid     uuid         not null,
  namespace     text         not null,
  task_name     text         not null,
  task_version  text         not null,
  step_name     text         not null,
  handler       text         not null,
  attempts      integer      not null,
  max_attempts  integer      not null,
  started_at    timestamptz  not null,
  lease_until   timestamptz  not null,
  worker_uuid   uuid,
  worker_name   text,

  constraint running_steps_row_type_check
    check (false) no inherit
);

comment on table tasker.running_steps is
  'Row type: a step that a worker has.';
comment on column tasker.running_steps.worker_name is
  'Its UUID if it has not registered; null if it is not known.';

revoke all on table tasker.running_steps from public;
