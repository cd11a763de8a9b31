create table tasker.task_transition_log (
  task_uuid       uuid               not null,
  sort_key        integer            not null,
  event           text               not null,
  from_state      tasker.task_state  not null,
  to_state        tasker.task_state  not null,
  processor_uuid  uuid,
  actor           text,
  login           text,
  role            text,
  reason          text,
  metadata        jsonb,
  created_at      timestamptz        not null  default tasker.clock(),
  xact            bigint             not null  default pg_current_xact_id()::text::bigint,

  constraint task_transition_log_pkey
    primary key (task_uuid, sort_key),
  constraint task_transition_log_row_check
    check (tasker.check_task_move(task_uuid, event, from_state, to_state))
) partition by range (task_uuid);

create index task_transition_log_created_idx
  on tasker.task_transition_log using brin (created_at, xact) with (pages_per_range = 32);

create index task_transition_log_ended_idx
  on tasker.task_transition_log (to_state, task_uuid)
  where to_state in ('error', 'cancelled', 'resolved_manually');

comment on index tasker.task_transition_log_created_idx is
  'Serves the rollups: transitions of tasks since the last one. By transaction number it serves the feed. BRIN, because rows come in the order of both.';
comment on index tasker.task_transition_log_ended_idx is
  'Serves lists of the tasks that failed, were cancelled or resolved by hand, newest first. It is on the log because rows of the log never change: an index on the state of tasks would cost every transition.';

comment on table tasker.task_transition_log is
  'Every transition of a task, inserted once and never changed. The newest one''s sort_key is the task''s transition_count.';
comment on column tasker.task_transition_log.actor is
  'The name that a direct caller or operator gives; null when the engine moved the task.';
comment on column tasker.task_transition_log.login is
  'The role that was logged in (session_user), with the one that it had set in "role" if that is another; null as in the row before, in the first row as at the creation.';

comment on column tasker.task_transition_log.xact is
  'The transaction that wrote the row: the feed tells by it what a snapshot sees.';
