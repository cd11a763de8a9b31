-- GetTaskAttributes returns the attributes of tasks, in the order of the tasks and, within a task, by name.
-- name: GetTaskAttributes :many
select * from tasker.get_task_attributes(@task_uuids::uuid[]);

-- ListAttributes returns the attributes that the templates of a namespace declare. Without a namespace, it
-- returns the attributes of all namespaces.
-- name: ListAttributes :many
select * from tasker.list_attributes(sqlc.narg('namespace'));
