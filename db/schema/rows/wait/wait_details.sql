create table tasker.wait_details (
  step_uuid      uuid         not null,
  task_uuid      uuid         not null,
  step_no        integer      not null,
  namespace      text         not null,
  task_name      text         not null,
  task_version   text         not null,
  step_name      text         not null,
  description    text,
  waiting_since  timestamptz  not null,
  due_at         timestamptz,
  on_timeout     text         not null,
  assignee       text,
  signals        text[]       not null,
  await          jsonb        not null,
  tags           text[]       not null,
  initiator      text,
  events         text[]       not null,
  event_keys     text[]       not null,

  constraint wait_details_row_type_check
    check (false) no inherit
);

comment on table tasker.wait_details is
  'Row type: a step that waits for a signal or an event, as an inbox shows it.';
comment on column tasker.wait_details.description is
  'What the template says of the step.';
comment on column tasker.wait_details.due_at is
  'When a time ends the wait; null: only a signal or an event does.';
comment on column tasker.wait_details.await is
  'What ends the wait, as the template says it: signals with the schema of their payload, events, times.';
comment on column tasker.wait_details.event_keys is
  'The keys of the events, in the same order; empty for an event without one.';

revoke all on table tasker.wait_details from public;
