create table tasker.step_details (
  workflow_step_uuid  uuid               not null,
  task_uuid           uuid               not null,
  step_no             integer            not null,
  name                text               not null,
  handler             text               not null,
  state               tasker.step_state  not null,
  join_mode           text               not null,
  total_parents       integer            not null,
  pending_parents     integer            not null,
  satisfied_parents   integer            not null,
  claim_no            integer            not null,
  attempts            integer            not null,
  max_attempts        integer            not null,
  lost_count          integer            not null,
  retryable           boolean            not null,
  priority            integer            not null,
  created_at          timestamptz        not null,
  last_attempted_at   timestamptz,
  last_failure_at     timestamptz,
  next_retry_at       timestamptz,
  lease_until         timestamptz,
  processed_at        timestamptz,
  worker_uuid         uuid,
  last_error          text,
  inputs              jsonb              not null,
  results             jsonb,
  checkpoint          jsonb,
  child_task_uuid     uuid,
  undo_no             integer,

  constraint step_details_row_type_check
    check (false) no inherit
);

comment on table tasker.step_details is
  'Row type: a step as lists show it.';
comment on column tasker.step_details.undo_no is
  'The number of the step that this one undoes; null for the steps of the graph.';

revoke all on table tasker.step_details from public;
