-- AdvanceTask starts a task or advances it, and returns its state afterwards.
-- name: AdvanceTask :one
select tasker.advance_task(@task_uuid);
