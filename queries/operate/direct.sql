-- Exchange records results and claims new steps. The request and the reply are one JSON object each.
-- name: Exchange :one
select tasker.exchange(@request::jsonb);

-- ExchangeOrSleep does the same as Exchange, and leads a worker that finds no work through falling asleep.
-- name: ExchangeOrSleep :one
select tasker.exchange_or_sleep(@request::jsonb);

-- Attend renews leases and records that a worker is alive.
-- name: Attend :one
select tasker.attend(@request::jsonb);

-- CompleteStep records the result of one claimed step in the caller's transaction. If the result cannot be recorded,
-- the call fails, so that the transaction does not commit.
-- name: CompleteStep :one
select tasker.complete_step(@step_uuid, @claim_no, sqlc.narg('result'));

-- GetTaskResult returns the state of a task, the results of the named steps, and the step that failed. If steps is
-- null, it returns the results of the task's last steps.
-- name: GetTaskResult :one
select tasker.get_task_result(@task_uuid, @steps::text[]);
