-- Exchange records results and claims new steps, with one JSON object as request and one as reply.
-- name: Exchange :one
select tasker.exchange(@request::jsonb);

-- ExchangeOrSleep does the same as Exchange, and leads a worker that finds no work through falling asleep.
-- name: ExchangeOrSleep :one
select tasker.exchange_or_sleep(@request::jsonb);

-- Attend renews leases and notes that a worker lives.
-- name: Attend :one
select tasker.attend(@request::jsonb);

-- CompleteStep records the result of one claimed step in the caller's transaction. If the result is not recorded, it fails,
-- so that the transaction does not commit.
-- name: CompleteStep :one
select tasker.complete_step(@step_uuid, @claim_no, sqlc.narg('result'));

-- GetTaskResult returns the state of a task, the results of its steps by name (null: of the last steps), and the step that
-- failed.
-- name: GetTaskResult :one
select tasker.get_task_result(@task_uuid, @steps::text[]);
