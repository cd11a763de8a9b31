create table tasklib.tasks (
  id               uuid                not null,
  created_at       timestamptz         not null,
  scheduled_at     timestamptz         not null,
  locked_until     timestamptz,
  started_at       timestamptz,
  completed_at     timestamptz,
  next_retry_at    timestamptz,
  expires_at       timestamptz,
  state            tasklib.task_state  not null  default 'pending',
  priority         integer             not null  default 0,
  retry_count      integer             not null  default 0,
  max_retries      integer             not null,
  timeout_seconds  integer,
  claim_no         integer             not null  default 0,
  lock_seconds     integer,
  ready            boolean             not null,
  dedup_kept       boolean             not null  default false,
  name             text collate "C"    not null,
  worker_id        text,
  submitted_by     text                not null,
  dedup_key        text collate "C",
  limit_key        text collate "C",
  args             jsonb,
  kwargs           jsonb               not null,
  tags             jsonb,
  result           jsonb,
  error            text,
  erased_at        timestamptz,

  constraint tasks_pkey
    primary key (id),
  constraint tasks_lock_check
    check ((state = 'running') = (locked_until is not null) and (state = 'running') = (worker_id is not null)),
  constraint tasks_ready_check
    check (not ready or state = 'pending'),
  constraint tasks_completed_at_check
    check ((completed_at is not null) = (state in ('completed', 'failed', 'cancelled'))),
  constraint tasks_retry_count_check
    check (retry_count between 0 and max_retries),
  constraint tasks_claim_no_check
    check (claim_no >= 0)
) with (
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_threshold = 10000,
  autovacuum_analyze_scale_factor = 0.02,
  autovacuum_analyze_threshold = 10000
);

-- Every index except the primary key is partial. A completed task without an expiry or a kept key is only in the primary key,
-- and so does not slow claims down.
create index tasks_ready_idx on tasklib.tasks (name, priority desc, id)
  where ready and limit_key is null;
create index tasks_ready_key_idx on tasklib.tasks (name, limit_key, priority desc, id)
  where ready and limit_key is not null;
create index tasks_waiting_idx on tasklib.tasks (name, scheduled_at)
  where state = 'pending' and not ready;
create index tasks_running_idx on tasklib.tasks (name, locked_until)
  where locked_until is not null;
create index tasks_running_key_idx on tasklib.tasks (name, limit_key)
  where locked_until is not null and limit_key is not null;
create index tasks_failed_idx on tasklib.tasks (name, id)
  where state in ('failed', 'cancelled');
create index tasks_expiry_idx on tasklib.tasks (expires_at)
  where expires_at is not null;
create unique index tasks_dedup_key on tasklib.tasks (name, dedup_key)
  where dedup_key is not null and (dedup_kept or state in ('pending', 'running'));

comment on table tasklib.tasks is
  'All tasks with their data. Claims take tasks by priority, then by age. The ids are in the order of age, because an id is a UUID of version 7.';
comment on column tasklib.tasks.name is
  'A name in tasklib.registered_tasks. The function submit_tasks checks the name, because a foreign key would make bulk submission slower by a third.';
comment on column tasklib.tasks.scheduled_at is
  'The time from which the task may run. A retry or a snooze sets a new time.';
comment on column tasklib.tasks.ready is
  'Whether the task is pending and marked as due. Tasks that wait for their time are in the index tasks_waiting_idx, from which claims mark the due tasks as ready.';
comment on column tasklib.tasks.claim_no is
  'The number of times that the task was claimed. The number is never reset. A worker that reports a lower number has lost the task.';
comment on column tasklib.tasks.lock_seconds is
  'The length of the lock in seconds, counted from the claim or the last extension. After an outage of the server, the worker again has so many seconds to extend the lock.';
comment on column tasklib.tasks.retry_count is
  'The number of retries so far, each after a failure or the loss of the worker.';
comment on column tasklib.tasks.next_retry_at is
  'The time of the retry after a failed run. Null if no run failed, or the retry has begun.';
comment on column tasklib.tasks.expires_at is
  'The time when purge_expired may delete the task. Null means never.';
comment on column tasklib.tasks.submitted_by is
  'The role that submitted the task.';
comment on column tasklib.tasks.args is
  'Reserved.';
comment on column tasklib.tasks.kwargs is
  'The arguments by name.';
comment on column tasklib.tasks.result is
  'The result that the function returned: {"value": …}.';
comment on column tasklib.tasks.error is
  'The full text of the last error.';
comment on column tasklib.tasks.erased_at is
  'The time when the task''s data was erased. Null if it was not erased.';
comment on column tasklib.tasks.dedup_key is
  'The deduplication key. A submission with the same name and key returns this task instead of creating another task, while this task is pending or running. If dedup_kept is true, so does a submission after the task has ended.';
comment on column tasklib.tasks.limit_key is
  'The limit key. Tasks of a name with the same limit key share key_concurrency_limit and key_rate_limit. The limit keys of a name take turns in claims.';
comment on index tasklib.tasks_ready_idx is
  'Serves claim_tasks: due tasks without a limit key, in the order of claiming.';
comment on index tasklib.tasks_ready_key_idx is
  'Serves claim_tasks: due tasks with a limit key, in the order of claiming within each key.';
comment on index tasklib.tasks_waiting_idx is
  'Serves claim_tasks: tasks that wait for a delay, a retry or a snooze, by the time when they are due.';
comment on index tasklib.tasks_running_idx is
  'Serves claim_tasks and recover_dead, which find tasks whose lock has ended and count the running tasks of a name.';
comment on index tasklib.tasks_running_key_idx is
  'Serves claim_tasks: the number of running tasks of a limit key.';
comment on index tasklib.tasks_failed_idx is
  'Serves list_tasks and stats: failed and cancelled tasks among millions of others.';
comment on index tasklib.tasks_expiry_idx is
  'Serves purge_expired. Tasks that are kept for ever are not in this index.';
comment on index tasklib.tasks_dedup_key is
  'Serves submit_tasks: at most one open or kept task per name and deduplication key.';
