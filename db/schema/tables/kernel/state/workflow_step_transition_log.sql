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
  login              text,
  role               text,
  reason             text,
  result_digest      bytea,
  metadata           jsonb,
  created_at         timestamptz        not null  default tasker.clock(),
  xact               bigint             not null  default pg_current_xact_id()::text::bigint,

  constraint workflow_step_transition_log_pkey
    primary key (task_uuid, step_no, sort_key),
  constraint workflow_step_transition_log_row_check
    check (tasker.check_step_move(task_uuid, step_no, event, from_state, to_state, execution_time_ms))
) partition by range (task_uuid);

create index workflow_step_transition_log_created_idx
  on tasker.workflow_step_transition_log using brin (created_at, xact) with (pages_per_range = 32);

create index workflow_step_transition_log_failed_idx
  on tasker.workflow_step_transition_log (created_at)
  where to_state = 'enqueued_as_error_for_orchestration';

comment on index tasker.workflow_step_transition_log_created_idx is
  'Serves the rollups (transitions of steps since the last one) and audit reports over a range of time. By transaction number it serves the feed. BRIN, because rows come in the order of both.';
comment on index tasker.workflow_step_transition_log_failed_idx is
  'Serves reports of failures over a range of time, newest first, without reading the successes.';

comment on table tasker.workflow_step_transition_log is
  'Every transition of a step, inserted once and never changed. The newest one''s sort_key is the step''s transition_count.';
comment on column tasker.workflow_step_transition_log.claim_no is
  'The step''s claim number when the transition was made: which claim a result or a loss belongs to.';
comment on column tasker.workflow_step_transition_log.actor is
  'The name that a direct caller or operator gives; null when the engine moved the step.';
comment on column tasker.workflow_step_transition_log.login is
  'The role that was logged in (session_user), with the one that it had set in "role" if that is another; null as in the row before, in the first row as at the task''s creation.';
comment on column tasker.workflow_step_transition_log.result_digest is
  'tasker.result_digest of the result that came with the transition.';

comment on column tasker.workflow_step_transition_log.xact is
  'The transaction that wrote the row: the feed tells by it what a snapshot sees.';
