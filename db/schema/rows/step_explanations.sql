create table tasker.step_explanations (
  workflow_step_uuid  uuid               not null,
  task_uuid           uuid               not null,
  name                text               not null,
  handler             text               not null,
  namespace           text               not null,
  task_state          tasker.task_state  not null,
  current_state       tasker.step_state  not null,
  summary             text               not null,
  blocking_reason     text,
  due_at              timestamptz,
  waiting_for         jsonb              not null,
  unsatisfied         jsonb              not null,
  blocked_by          jsonb              not null,
  worker_uuid         uuid,
  attempts            integer            not null,
  retry_limit         integer            not null,
  last_error          text,
  login               text,
  role                text,

  constraint step_explanations_row_type_check
    check (false) no inherit
);

comment on table tasker.step_explanations is
  'Row type: why a step is, or is not, running.';
comment on column tasker.step_explanations.due_at is
  'When something happens without a call: its next attempt, its task''s start, the end of its worker''s lease.';
comment on column tasker.step_explanations.login is
  'The role that was logged in when the step last moved, null if it never did; "role" is the one that it had set, null if none.';
comment on column tasker.step_explanations.waiting_for is
  'Parents that have not settled: at most a hundred of {step_uuid, name, state}.';
comment on column tasker.step_explanations.unsatisfied is
  'Parents that have settled without satisfying their edge: at most a hundred of {step_uuid, name, state, condition}.';
comment on column tasker.step_explanations.blocked_by is
  'Steps that failed for good above it, nearest first: at most a hundred of {step_uuid, name, distance, error}.';

revoke all on table tasker.step_explanations from public;
