-- ListRuns returns the tasks of a namespace with a place of their key, and the waiting tasks in the order of the line: of one template
-- and of one key, if they are given.
-- name: ListRuns :many
select * from tasker.list_runs(@namespace, sqlc.narg('name'), sqlc.narg('run_key'), @max_rows);

-- SkipBlockedRun lets the runs of a key go on without a task that has failed or is blocked. It returns true if this call skipped the
-- task, and ErrConflict if the task holds up no run. Idempotent.
-- name: SkipBlockedRun :one
select tasker.skip_blocked_run(@task_uuid, @reason, p_actor => sqlc.narg('act_actor'));
