-- GetNextReadyTask hands out one task that an orchestrator has to look at; pgx.ErrNoRows if there is none.
-- name: GetNextReadyTask :one
select * from tasker.get_next_ready_task();

-- GetNextReadyTasks hands out tasks that an orchestrator has to look at, by computed priority, each to
-- one caller; 5 if the limit is left out.
-- name: GetNextReadyTasks :many
select * from tasker.get_next_ready_tasks(sqlc.narg('limit'));

-- GetTaskReadyInfo returns what discovery says of a task, without handing it out. ErrNotFound if there
-- is no such task.
-- name: GetTaskReadyInfo :one
select * from tasker.get_task_ready_info(@task_uuid);

-- GetTaskExecutionContext returns how far a task is, whether it moves, and what is to be done.
-- ErrNotFound if there is no such task.
-- name: GetTaskExecutionContext :one
select * from tasker.get_task_execution_context(@task_uuid);

-- GetTaskExecutionContexts returns the same for many tasks; one that does not exist has none.
-- name: GetTaskExecutionContexts :many
select * from tasker.get_task_execution_contexts(@task_uuids::uuid[]);
