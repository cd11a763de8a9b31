-- GetTaskTree returns a task and the tasks that its steps started. After each of these tasks comes its own tree.
-- The default limit is 1,000 rows.
-- name: GetTaskTree :many
select * from tasker.get_task_tree(@task_uuid, sqlc.narg('limit'));
