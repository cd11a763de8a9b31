-- ListRuns returns the tasks of a namespace that hold a place of their run key, and the tasks that wait for a
-- place, in their order. A template and a run key may narrow the list.
-- name: ListRuns :many
select * from tasker.list_runs(@namespace, sqlc.narg('name'), sqlc.narg('run_key'), @max_rows);

-- SkipBlockedRun lets the runs of a key continue without a task that has failed or is blocked. It returns true if
-- this call skipped the task, and ErrConflict if no run waits for the task. The call is idempotent.
-- name: SkipBlockedRun :one
select tasker.skip_blocked_run(@task_uuid, @reason, p_actor => sqlc.narg('act_actor'));
