-- AdvanceTask starts a task or moves it on, and returns the state that it is in then.
-- name: AdvanceTask :one
select tasker.advance_task(@task_uuid);
