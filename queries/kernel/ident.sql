-- TransitionUUID returns the UUID of a transition in a task's history, or in a step's history if step_no is above
-- 0. It reads no table.
-- name: TransitionUUID :one
select tasker.transition_uuid(@task_uuid, @step_no, @sort_key);

-- Clock returns the database's time. Leases, retries and timers are compared with this time.
-- name: Clock :one
select tasker.clock();

-- UUIDGenerateV7 returns a new UUID of version 7.
-- name: UUIDGenerateV7 :one
select tasker.uuid_generate_v7();

-- StepNoOf returns the number of a step in its task. It reads no table.
-- name: StepNoOf :one
select tasker.step_no_of(@step_uuid);

-- StepUUID returns the UUID of the step with this number in a task. It reads no table.
-- name: StepUUID :one
select * from tasker.step_uuid(@task_uuid, @step_no);

-- IsTaskUUID reports whether a UUID has the form of a task's UUID.
-- name: IsTaskUUID :one
select tasker.is_task_uuid(@uuid);

-- TaskUUIDOf returns the UUID of the task that a step belongs to. It reads no table.
-- name: TaskUUIDOf :one
select tasker.task_uuid_of(@step_uuid);
