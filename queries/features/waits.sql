-- SendSignal sends a signal to a task. The answer is "delivered", "kept", or "repeated" if the signal's
-- idempotency key is known.
-- name: SendSignal :one
select * from tasker.send_signal(@task_uuid, @name::text, @payload, sqlc.narg('idempotency_key'));

-- SendSignalByKey sends a signal to the task with an identity key. If start is given, it creates the task first
-- when no such task exists.
-- name: SendSignalByKey :one
select * from tasker.send_signal_by_key(
  @namespace::text, @task_name::text, @identity_key::text, @name::text, @payload, sqlc.narg('idempotency_key'),
  sqlc.narg('start'), @context, sqlc.narg('version'), sqlc.narg('priority'), sqlc.narg('tags')::text[],
  sqlc.narg('initiator'), sqlc.narg('headers'), sqlc.narg('identity_scope')
);

-- GetStepWait returns the wait of a suspended step. Use SqlFunctionExecutor's own GetStepWait.
-- name: GetStepWait :one
select * from tasker.get_step_wait(@step_uuid);

-- ListSignals returns the signals of a task, and for each signal the step that took it.
-- name: ListSignals :many
select * from tasker.list_signals(@task_uuid, @after::integer, @limit_count::integer);

-- ListWaits returns the steps that wait for a signal or an event. Steps that have waited longest come first.
-- name: ListWaits :many
select * from tasker.list_waits(
  sqlc.narg('namespace'), sqlc.narg('task_name'), sqlc.narg('signal'), sqlc.narg('assignee'),
  sqlc.narg('older_than'), sqlc.narg('after_since'), sqlc.narg('after_step'), @limit_count::integer,
  sqlc.narg('event'), sqlc.narg('task_uuid')
);
