-- ProcessTaskRequests creates the tasks that messages ask for and returns how many.
-- name: ProcessTaskRequests :one
select tasker.process_task_requests(@max_items);

-- GetNextReadyTask hands out one task that an orchestrator has to look at; pgx.ErrNoRows if there is none.
-- name: GetNextReadyTask :one
select * from tasker.get_next_ready_task();

-- GetNextReadyTasks hands out tasks that an orchestrator has to look at, by computed priority, each to
-- one caller; 5 if the limit is left out.
-- name: GetNextReadyTasks :many
select * from tasker.get_next_ready_tasks(sqlc.narg('limit'));

-- GetTaskReadyInfo returns what discovery says of a task, without handing it out. ErrNotFound if there
-- is no such task.
-- name: GetTaskReadyInfo :one
select * from tasker.get_task_ready_info(@task_uuid);

-- ClaimTaskForFinalization gives one of several orchestrators the finalisation of a task whose steps are
-- all done; false for the others.
-- name: ClaimTaskForFinalization :one
select tasker.claim_task_for_finalization(@task_uuid, @processor_uuid, sqlc.narg('lease_seconds'));

-- FinalizeTaskCompletion completes a task whose steps are all done; false if it is not that far, has
-- ended, or another processor claims it.
-- name: FinalizeTaskCompletion :one
select tasker.finalize_task_completion(@task_uuid, sqlc.narg('processor_uuid'));

-- ProcessStepResults processes deferred results and returns how many.
-- name: ProcessStepResults :one
select tasker.process_step_results(@max_items);

-- Orchestrate does all that an orchestrator has to do, at most so much of each.
-- name: Orchestrate :one
select * from tasker.orchestrate(@max_items);

-- OrchestrateAs is Orchestrate by a processor whom the log names.
-- name: OrchestrateAs :one
select * from tasker.orchestrate(@max_items, @processor_uuid::uuid);
