-- ForkTask creates a task that repeats another task from a step on and takes over the results of all other steps. It
-- returns the UUID of the new task.
-- name: ForkTask :one
select tasker.fork_task(
  @task_uuid, @from_step, sqlc.narg('version'), sqlc.narg('reason'), sqlc.narg('actor'), sqlc.narg('cancel'), sqlc.narg('key')
);
