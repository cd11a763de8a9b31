create table tasker.step_log (
  task_uuid          uuid              not null,
  step_no            integer           not null,
  sort_key           integer           not null,
  path               tasker.step_path  not null,
  claim_no           integer           not null  default 0,
  created_at         timestamptz       not null  default tasker.clock(),
  xact               bigint            not null  default pg_current_xact_id()::text::bigint,
  execution_time_ms  tasker.log_duration,
  worker_uuid        uuid,
  actor              text,
  login              text,
  role               text,
  reason             text,
  result_digest      bytea,
  metadata           jsonb,

  constraint step_log_pkey
    primary key (task_uuid, step_no, sort_key)
) partition by range (task_uuid);

create index step_log_created_idx
  on tasker.step_log using brin (created_at, xact) with (pages_per_range = 32);

create index step_log_failed_idx
  on tasker.step_log (created_at)
  where path >= 1000;

create index step_log_correlation_idx
  on tasker.step_log (lower(metadata ->> 'correlation_id'))
  where metadata ->> 'correlation_id' is not null;

comment on index tasker.step_log_created_idx is
  'Serves the rollups (transitions of steps since the last one) and audit reports over a range of time. The transaction number serves the feed. A BRIN index suffices, because rows are inserted in the order of both columns.';
comment on index tasker.step_log_failed_idx is
  'Serves reports of failures over a range of time, newest first, without reading the successes.';

comment on index tasker.step_log_correlation_idx is
  'Serves the audit of a correlation id: results whose metadata name it. The index has only these rows.';

comment on table tasker.step_log is
  'The history of each step. Each row is a path: one or more transitions that one call made for the step (tasker.step_log_paths). Rows are inserted once and never changed. The view tasker.workflow_step_transition_log shows each transition.';
comment on column tasker.step_log.sort_key is
  'The sort_key of the path''s last transition. The sort_key of the newest row is the step''s transition_count.';
comment on column tasker.step_log.claim_no is
  'The step''s claim number at the transition. It shows which claim a result or a loss belongs to.';
comment on column tasker.step_log.actor is
  'The name that a direct caller or operator gives. Null if the engine moved the step.';
comment on column tasker.step_log.login is
  'The role that was logged in (session_user), with the role that it had set in "role" if that is another. Null means the login of the row before or, in the first row, the login at the task''s creation.';
comment on column tasker.step_log.result_digest is
  'tasker.result_digest of the result that came with the path.';
comment on column tasker.step_log.metadata is
  'The metadata of the path''s first transition: an error, or the metadata that a caller adds.';
comment on column tasker.step_log.xact is
  'The transaction that wrote the row. The feed uses this number to decide whether a snapshot sees the row.';
