-- AdvanceTask starts or advances a task, and returns the task's new state.
-- name: AdvanceTask :one
select tasker.advance_task(@task_uuid);
