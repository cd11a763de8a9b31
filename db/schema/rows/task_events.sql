create table tasker.task_events (
  occurred_at        timestamptz  not null,
  step_no            integer,
  step_name          text,
  event              text         not null,
  from_state         text         not null,
  to_state           text         not null,
  claim_no           integer,
  worker_uuid        uuid,
  worker_name        text,
  processor_uuid     uuid,
  actor              text,
  login              text,
  role               text,
  reason             text,
  execution_time_ms  bigint,
  error              text,
  metadata           jsonb,
  description        text         not null,
  sort_key           integer      not null,

  constraint task_events_row_type_check
    check (false) no inherit
);

comment on table tasker.task_events is
  'Row type: one event of a task''s history, its own or a step''s.';
comment on column tasker.task_events.login is
  'The role that was logged in, with the one that it had set in "role" if that is another; actor and worker are what the caller says of itself.';
comment on column tasker.task_events.description is
  'The event as a sentence for people.';
comment on column tasker.task_events.sort_key is
  'Its place among the transitions of its task, or of its step; with step_no where a page of a history ends.';

revoke all on table tasker.task_events from public;
