-- AdvanceTask starts a task or moves it on, and returns the state that it is in then.
-- name: AdvanceTask :one
select tasker.advance_task(@task_uuid);

-- ClaimTaskForFinalization gives one of several orchestrators the finalisation of a task whose steps are
-- all done; false for the others.
-- name: ClaimTaskForFinalization :one
select tasker.claim_task_for_finalization(@task_uuid, @processor_uuid, sqlc.narg('lease_seconds'));

-- FinalizeTaskCompletion completes a task whose steps are all done; false if it is not that far, has
-- ended, or another processor claims it.
-- name: FinalizeTaskCompletion :one
select tasker.finalize_task_completion(@task_uuid, sqlc.narg('processor_uuid'));
