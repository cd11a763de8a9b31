-- GetTaskStory returns where the time of a task went, along its critical path.
-- name: GetTaskStory :many
select * from tasker.get_task_story(@task_uuid, @max_parts);
