-- SubmitTask submits one task and returns its id, and whether this call created the task.
-- name: SubmitTask :one
select * from tasklib.submit_task(
  p_name => @name,
  p_kwargs => @kwargs,
  p_delay_seconds => @delay_seconds,
  p_priority => @priority,
  p_max_retries => sqlc.narg('max_retries'),
  p_timeout_seconds => sqlc.narg('timeout_seconds'),
  p_tags => sqlc.narg('tags'),
  p_dedup_key => sqlc.narg('dedup_key'),
  p_dedup_kept => @dedup_kept,
  p_limit_key => sqlc.narg('limit_key')
);

-- SubmitTasks submits tasks of one name. If a slice is nil, all tasks get the default. Any other slice has one value
-- for each task.
-- name: SubmitTasks :many
select * from tasklib.submit_tasks(
  p_name => @name,
  p_kwargs => @kwargs::jsonb[],
  p_delay_seconds => @delay_seconds::double precision[],
  p_priorities => @priorities::integer[],
  p_max_retries => @max_retries::integer[],
  p_timeout_seconds => @timeout_seconds::integer[],
  p_tags => @tags::jsonb[],
  p_dedup_keys => @dedup_keys::text[],
  p_dedup_kept => @dedup_kept,
  p_limit_keys => @limit_keys::text[]
);

-- ClaimTasks claims due tasks of these names for a worker. It orders tasks by priority, then by age.
-- name: ClaimTasks :many
select * from tasklib.claim_tasks(@names::text[], @worker_id, @max_tasks, sqlc.narg('lock_seconds'));

-- CompleteTasks records results. The outcome of each task is "completed" or "stale".
-- name: CompleteTasks :many
select * from tasklib.complete_tasks(@worker_id, @ids::uuid[], @claim_nos::integer[], @results::jsonb[]);

-- FailTasks records failures. The outcome of each task is "retrying", "failed" or "stale". If a slice is nil, all
-- tasks get the default.
-- name: FailTasks :many
select * from tasklib.fail_tasks(
  @worker_id, @ids::uuid[], @claim_nos::integer[], @errors::text[], @permanent::boolean[],
  @retry_after_seconds::double precision[]
);

-- ReleaseTasks hands back tasks that the worker will not run now. The outcome of each task is "released", "snoozed" or
-- "stale".
-- name: ReleaseTasks :many
select * from tasklib.release_tasks(@worker_id, @ids::uuid[], @claim_nos::integer[], @snooze_seconds::double precision[], @reasons::text[]);

-- ExtendLocks makes locks last longer. The outcome of each task is "extended" or "stale".
-- name: ExtendLocks :many
select * from tasklib.extend_locks(@worker_id, @ids::uuid[], @claim_nos::integer[], sqlc.narg('lock_seconds'));

-- RecoverDead takes tasks of these names from workers whose locks have ended. Nil means all names.
-- name: RecoverDead :one
select tasklib.recover_dead(@names::text[], @max_tasks);

-- RetryDelay returns how many seconds a task waits after this number of retries.
-- name: RetryDelay :one
select tasklib.retry_delay(@retry_count, sqlc.narg('base'), sqlc.narg('multiplier'));

-- ListClaims returns the tasks of these names that a worker has claimed and not yet reported.
-- name: ListClaims :many
select * from tasklib.list_claims(@names::text[], @worker_id);

-- MarkSleeping records that a worker sleeps until a notification for one of these names wakes it. It returns false if
-- notifications are off. Commit the call, call OpenWriters, claim once more, then sleep. The mark holds for 30 seconds
-- by default.
-- name: MarkSleeping :one
select tasklib.mark_sleeping(@worker_id, @names::text[], sqlc.narg('seconds'));

-- MarkAwake deletes the mark of MarkSleeping. It returns true if there was a mark.
-- name: MarkAwake :one
select tasklib.mark_awake(@worker_id, @names::text[]);

-- OpenWriters returns the transactions that may end without notifying a client that was marked before the call. If
-- writers is the answer of an earlier call, it returns only its transactions that still run.
-- name: OpenWriters :one
select tasklib.open_writers(@writers::bigint[])::bigint[];

-- NextClaimIn returns in how many seconds a claim can find more tasks of limited names. If this is possible only after
-- a running task has ended, it returns +Inf. If no limit holds back a ready task, it returns a number below zero (the
-- SQL function returns NULL).
-- name: NextClaimIn :one
select coalesce(tasklib.next_claim_in(@names::text[]), -1)::double precision;
