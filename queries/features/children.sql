-- GetTaskTree returns a task and the tasks that its steps started, each followed by its own tree; 1,000 rows if
-- the limit is left out.
-- name: GetTaskTree :many
select * from tasker.get_task_tree(@task_uuid, sqlc.narg('limit'));
