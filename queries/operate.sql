-- GetSetting returns the value of a setting, ErrNotFound if there is none of that name.
-- name: GetSetting :one
select tasker.get_setting(@name);

-- ListSettings returns all settings by name.
-- name: ListSettings :many
select * from tasker.list_settings();

-- SetSetting changes a setting, nil to its default, and returns the value that it had.
-- name: SetSetting :one
select tasker.set_setting(@name, sqlc.narg('value'));

-- Clock returns the database's time, by which leases, retries and timers are judged.
-- name: Clock :one
select tasker.clock();

-- UUIDGenerateV7 returns a new UUID of version 7.
-- name: UUIDGenerateV7 :one
select tasker.uuid_generate_v7();

-- CancelTask calls a task off for good; false if it was cancelled before. ErrConflict if it has ended
-- otherwise.
-- name: CancelTask :one
select tasker.cancel_task(@task_uuid, sqlc.narg('reason'), sqlc.narg('actor'));

-- GiveUpTask lets a task that is blocked by failures fail for good; false if it had failed before.
-- name: GiveUpTask :one
select tasker.give_up_task(@task_uuid, sqlc.narg('reason'), sqlc.narg('actor'));

-- ResolveTaskManually settles a task that is blocked by failures; false if it was resolved before.
-- name: ResolveTaskManually :one
select tasker.resolve_task_manually(@task_uuid, sqlc.narg('reason'), sqlc.narg('actor'));

-- ResetTask gives a task's failed steps their attempts back and lets it go on; false if none has failed.
-- name: ResetTask :one
select tasker.reset_task(@task_uuid, sqlc.narg('reason'), sqlc.narg('actor'));

-- RetryStep runs a failed step again, or at once one that waits; false if it is to run anyway.
-- name: RetryStep :one
select tasker.retry_step(@step_uuid, sqlc.narg('reason'), sqlc.narg('actor'));

-- ResolveStepManually settles a step without results; false if it was resolved before.
-- name: ResolveStepManually :one
select tasker.resolve_step_manually(@step_uuid, sqlc.narg('reason'), sqlc.narg('actor'));

-- CompleteStepManually completes a step with results; false if it was complete before.
-- name: CompleteStepManually :one
select tasker.complete_step_manually(@step_uuid, @results, sqlc.narg('reason'), sqlc.narg('actor'));

-- PauseNamespace stops a namespace's steps from being claimed; false if it was paused before.
-- name: PauseNamespace :one
select tasker.pause_namespace(@namespace, sqlc.narg('actor'));

-- ResumeNamespace lets a paused namespace's steps be claimed again; false if it was not paused.
-- name: ResumeNamespace :one
select tasker.resume_namespace(@namespace);

-- BindWorkerRole says in which namespaces a database role may work, none for all; returns how many.
-- name: BindWorkerRole :one
select tasker.bind_worker_role(@role_name, @namespaces::text[]);

-- CheckInstallation returns what there is to say about the server and the database: a row for each thing
-- that was looked at, its status ok, warn or fail.
-- name: CheckInstallation :many
select * from tasker.check_installation();
