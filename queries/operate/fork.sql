-- ForkTask creates a task that repeats another task from a given step on, and returns the UUID of the new task. The
-- new task takes over the results of the steps that it does not repeat.
-- name: ForkTask :one
select tasker.fork_task(
  @task_uuid, @from_step, sqlc.narg('version'), sqlc.narg('reason'), sqlc.narg('actor'), sqlc.narg('cancel'), sqlc.narg('key')
);
