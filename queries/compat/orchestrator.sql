-- ProcessTaskRequests creates the tasks that messages request, and returns how many tasks it created.
-- name: ProcessTaskRequests :one
select tasker.process_task_requests(@max_items);

-- GetNextReadyTask hands out one task that an orchestrator has to process. It returns pgx.ErrNoRows if there
-- is no such task.
-- name: GetNextReadyTask :one
select * from tasker.get_next_ready_task();

-- GetNextReadyTasks hands out tasks that an orchestrator has to process, in the order of their computed
-- priority. Each task is handed to only one caller. The default limit is 5.
-- name: GetNextReadyTasks :many
select * from tasker.get_next_ready_tasks(sqlc.narg('limit'));

-- GetTaskReadyInfo returns the row that GetNextReadyTasks has for a task, even if the task is not ready. It does
-- not hand the task out. It returns ErrNotFound if the task does not exist.
-- name: GetTaskReadyInfo :one
select * from tasker.get_task_ready_info(@task_uuid);

-- ClaimTaskForFinalization returns true if this orchestrator may finalise a task whose steps are all done. It
-- returns false to all other orchestrators.
-- name: ClaimTaskForFinalization :one
select tasker.claim_task_for_finalization(@task_uuid, @processor_uuid, sqlc.narg('lease_seconds'));

-- FinalizeTaskCompletion completes a task whose steps are all done. It returns false if a step is not done,
-- the task has ended, or another processor claims the task.
-- name: FinalizeTaskCompletion :one
select tasker.finalize_task_completion(@task_uuid, sqlc.narg('processor_uuid'));

-- ProcessStepResults processes deferred results, and returns how many results it processed.
-- name: ProcessStepResults :one
select tasker.process_step_results(@max_items);

-- Orchestrate does all kinds of an orchestrator's work, at most max_items items of each kind.
-- name: Orchestrate :one
select * from tasker.orchestrate(@max_items);

-- OrchestrateAs does the same as Orchestrate. The log names the processor with this UUID.
-- name: OrchestrateAs :one
select * from tasker.orchestrate(@max_items, @processor_uuid::uuid);
