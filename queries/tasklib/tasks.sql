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

-- SubmitTasks submits tasks of one name. A nil slice means the default for all tasks. Any other slice has a
-- value for each task.
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

-- ClaimTasks takes due tasks of these names for a worker, by priority, then age.
-- name: ClaimTasks :many
select * from tasklib.claim_tasks(@names::text[], @worker_id, @max_tasks, sqlc.narg('lock_seconds'));

-- CompleteTasks records results. An outcome is completed or stale.
-- name: CompleteTasks :many
select * from tasklib.complete_tasks(@worker_id, @ids::uuid[], @claim_nos::integer[], @results::jsonb[]);

-- FailTasks records failures. An outcome is retrying, failed or stale. A nil slice means the default for all
-- tasks.
-- name: FailTasks :many
select * from tasklib.fail_tasks(
  @worker_id, @ids::uuid[], @claim_nos::integer[], @errors::text[], @permanent::boolean[],
  @retry_after_seconds::double precision[]
);

-- ReleaseTasks hands back tasks that the worker will not run now. An outcome is released, snoozed or stale.
-- name: ReleaseTasks :many
select * from tasklib.release_tasks(@worker_id, @ids::uuid[], @claim_nos::integer[], @snooze_seconds::double precision[], @reasons::text[]);

-- ExtendLocks makes locks last longer. An outcome is extended or stale.
-- name: ExtendLocks :many
select * from tasklib.extend_locks(@worker_id, @ids::uuid[], @claim_nos::integer[], sqlc.narg('lock_seconds'));

-- RecoverDead takes tasks of these names, nil for all, from workers whose lock has ended.
-- name: RecoverDead :one
select tasklib.recover_dead(@names::text[], @max_tasks);

-- RetryDelay returns the seconds that a task waits after so many retries.
-- name: RetryDelay :one
select tasklib.retry_delay(@retry_count, sqlc.narg('base'), sqlc.narg('multiplier'));

-- ListClaims returns the tasks of these names that a worker has claimed and not reported.
-- name: ListClaims :many
select * from tasklib.list_claims(@names::text[], @worker_id);

-- MarkSleeping notes that a worker sleeps until a notification wakes it for these names. It returns false if
-- notifications are off. Commit the call, call OpenWriters, claim once more, then sleep. Nil means 30 seconds.
-- name: MarkSleeping :one
select tasklib.mark_sleeping(@worker_id, @names::text[], sqlc.narg('seconds'));

-- MarkAwake deletes the mark of MarkSleeping. It returns true if there was a mark.
-- name: MarkAwake :one
select tasklib.mark_awake(@worker_id, @names::text[]);

-- OpenWriters returns the transactions that may end without notifying a client that was marked before the
-- call. Given an earlier answer, it returns the transactions of that answer that are still running.
-- name: OpenWriters :one
select tasklib.open_writers(@writers::bigint[])::bigint[];

-- NextClaimIn returns in how many seconds a claim can find more tasks of limited names. +Inf means not before a running
-- task has ended. The SQL function returns NULL if no limit holds back a ready task, and this query then returns a number
-- below zero.
-- name: NextClaimIn :one
select coalesce(tasklib.next_claim_in(@names::text[]), -1)::double precision;
