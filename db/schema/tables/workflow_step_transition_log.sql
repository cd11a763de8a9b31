create table tasker.workflow_step_transition_log (
  task_uuid          uuid               not null,
  step_no            integer            not null,
  sort_key           integer            not null,
  event              text               not null,
  from_state         tasker.step_state  not null,
  to_state           tasker.step_state  not null,
  claim_no           integer            not null  default 0,
  execution_time_ms  bigint,
  worker_uuid        uuid,
  actor              text,
  reason             text,
  metadata           jsonb,
  created_at         timestamptz        not null  default tasker.clock(),

  constraint workflow_step_transition_log_pkey
    primary key (task_uuid, step_no, sort_key),
  constraint workflow_step_transition_log_row_check
    check (tasker.check_step_move(task_uuid, step_no, event, from_state, to_state, execution_time_ms))
) partition by range (task_uuid);

create index workflow_step_transition_log_created_idx
  on tasker.workflow_step_transition_log using brin (created_at) with (pages_per_range = 32);

comment on index tasker.workflow_step_transition_log_created_idx is
  'Serves the rollups (transitions of steps since the last one) and audit reports over a range of time. BRIN, because rows come in the order of time.';

comment on table tasker.workflow_step_transition_log is
  'Every transition of a step, inserted once and never changed. The newest one''s sort_key is the step''s transition_count.';
comment on column tasker.workflow_step_transition_log.claim_no is
  'The step''s claim number when the transition was made: which claim a result or a loss belongs to.';
comment on column tasker.workflow_step_transition_log.actor is
  'The role of a direct caller or operator; null when the engine moved the step.';

revoke all on table tasker.workflow_step_transition_log from public;
