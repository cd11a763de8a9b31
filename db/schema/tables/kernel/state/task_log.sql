create table tasker.task_log (
  task_uuid       uuid              not null,
  sort_key        integer           not null,
  path            tasker.task_path  not null,
  created_at      timestamptz       not null  default tasker.clock(),
  xact            bigint            not null  default pg_current_xact_id()::text::bigint,
  processor_uuid  uuid,
  actor           text,
  login           text,
  role            text,
  reason          text,
  metadata        jsonb,
  outcome         jsonb,

  constraint task_log_pkey
    primary key (task_uuid, sort_key)
) partition by range (task_uuid);

create index task_log_created_idx
  on tasker.task_log using brin (created_at, xact) with (pages_per_range = 32);

create index task_log_ended_idx
  on tasker.task_log ((path / 1000), task_uuid)
  where path >= 1000;

comment on index tasker.task_log_created_idx is
  'Serves the rollups: transitions of tasks since the last one. The transaction number serves the feed. A BRIN index suffices, because rows are inserted in the order of both columns.';
comment on index tasker.task_log_ended_idx is
  'Serves lists of the tasks that failed, were cancelled or resolved by hand, newest first. The index is on the log because rows of the log never change. An index on the state of tasks would cost every transition.';

comment on table tasker.task_log is
  'The history of each task. Each row is a path: one or more transitions that one call made for the task (tasker.task_log_paths). Rows are inserted once and never changed. The view tasker.task_transition_log shows each transition.';
comment on column tasker.task_log.sort_key is
  'The sort_key of the path''s last transition. The sort_key of the newest row is the task''s transition_count.';
comment on column tasker.task_log.actor is
  'The name that a direct caller or operator gives. Null if the engine moved the task.';
comment on column tasker.task_log.login is
  'The role that was logged in (session_user), with the role that it had set in "role" if that is another. Null means the login of the row before or, in the first row, the login at the creation.';
comment on column tasker.task_log.metadata is
  'The metadata of the transition if the path has only one. If the path has more transitions, the steps that ended.';
comment on column tasker.task_log.outcome is
  'The steps that a path of several transitions enqueued, or the failures with which it ended.';
comment on column tasker.task_log.xact is
  'The transaction that wrote the row. The feed uses this number to decide whether a snapshot sees the row.';
