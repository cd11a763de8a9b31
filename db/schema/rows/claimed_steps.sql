create table tasker.claimed_steps (
  step_uuid              uuid         not null,
  claim_no               integer      not null,
  task_uuid              uuid         not null,
  step_no                integer      not null,
  namespace              text         not null,
  task_name              text         not null,
  task_version           text         not null,
  name                   text         not null,
  handler                text         not null,
  attempt                integer      not null,
  max_attempts           integer      not null,
  lost_count             integer      not null,
  priority               integer      not null,
  lease_until            timestamptz  not null,
  timeout_seconds        integer,
  correlation_id         uuid         not null,
  parent_correlation_id  uuid,
  headers                jsonb        not null,
  inputs                 jsonb        not null,
  checkpoint             jsonb,
  last_error             text,
  context                jsonb,
  parent_results         jsonb,
  kept                   jsonb,

  constraint claimed_steps_row_type_check
    check (false) no inherit
);

comment on table tasker.claimed_steps is
  'Row type: a claimed step with all that its handler needs.';
comment on column tasker.claimed_steps.claim_no is
  'Send it with the result: complete_steps and fail_steps refuse that of another claim.';
comment on column tasker.claimed_steps.attempt is
  'This attempt''s number, from 1.';
comment on column tasker.claimed_steps.last_error is
  'The error of the previous attempt; null on the first.';
comment on column tasker.claimed_steps.inputs is
  'The step''s inputs. A compensation has the result of the step that it undoes in result, or result_omitted if it is too large for a claim of so many steps: tasker.get_parent_results(step_uuid) has it.';
comment on column tasker.claimed_steps.context is
  'The task''s context; null if it is too large for a claim of so many steps: tasker.get_task(task_uuid) has it.';
comment on column tasker.claimed_steps.parent_results is
  'The results of the parents that succeeded, by their names; null if they are too large for a claim of so many steps: tasker.get_parent_results(step_uuid) has them.';
comment on column tasker.claimed_steps.kept is
  'Null unless a function has kept something: its round, the count and the results in their order; results is null if they are too large for a claim of so many steps: tasker.get_kept_results(step_uuid) has them.';

revoke all on table tasker.claimed_steps from public;
