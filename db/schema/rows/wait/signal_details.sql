create table tasker.signal_details (
  task_uuid        uuid         not null,
  signal_no        integer      not null,
  name             text         not null,
  payload          jsonb        not null,
  idempotency_key  text,
  sent_by          text         not null,
  sent_at          timestamptz  not null,
  consumed         boolean      not null,
  step_uuid        uuid,
  step_name        text,
  consumed_at      timestamptz,

  constraint signal_details_row_type_check
    check (false) no inherit
);

comment on table tasker.signal_details is
  'Row type: a signal that was sent to a task, and the step that took it.';

revoke all on table tasker.signal_details from public;
