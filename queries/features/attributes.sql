-- GetTaskAttributes returns the attributes of tasks, in the order of the tasks and by name.
-- name: GetTaskAttributes :many
select * from tasker.get_task_attributes(@task_uuids::uuid[]);

-- ListAttributes returns the attributes that templates declare, of one namespace or of all.
-- name: ListAttributes :many
select * from tasker.list_attributes(sqlc.narg('namespace'));
