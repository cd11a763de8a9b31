-- RegisterTask ensures that the name of a task is registered, sets the options given, and returns all options of the
-- name.
-- name: RegisterTask :one
select * from tasklib.register_task(@name, @options);

-- GetRegisteredTasks returns the names that tasks may have.
-- name: GetRegisteredTasks :many
select * from tasklib.get_registered_tasks();

-- RestrictTask lets only members of these roles run the tasks of a name.
-- name: RestrictTask :one
select * from tasklib.restrict_task(@name, @roles::text[], p_actor => sqlc.narg('actor'), p_reason => sqlc.narg('reason'));

-- PauseTask stops claims of all tasks with this name, and reports whether this call paused the name.
-- name: PauseTask :one
select tasklib.pause_task(@name, p_actor => sqlc.narg('actor'), p_reason => sqlc.narg('reason'));

-- ResumeTask allows claims of the tasks of a paused name again, and reports whether this call resumed the name.
-- name: ResumeTask :one
select tasklib.resume_task(@name, p_actor => sqlc.narg('actor'), p_reason => sqlc.narg('reason'));

-- CancelTask cancels a pending or running task, and reports whether this call cancelled it.
-- name: CancelTask :one
select tasklib.cancel_task(@task_id, sqlc.narg('reason'));

-- RetryTask lets a failed or cancelled task run again, and reports whether this call changed the task.
-- name: RetryTask :one
select tasklib.retry_task(@task_id, @delay_seconds);

-- GetTask returns a task, or ErrNotFound if it does not exist.
-- name: GetTask :one
select * from tasklib.get_task(@task_id);

-- ListTasks returns tasks that match every filter given, newest first.
-- name: ListTasks :many
select * from tasklib.list_tasks(
  sqlc.narg('state'), sqlc.narg('name'), @max_tasks, sqlc.narg('tags'), sqlc.narg('before')
);

-- ListTaskRuns returns the runs of a task that have ended.
-- name: ListTaskRuns :many
select * from tasklib.list_task_runs(@task_id);

-- ListTaskActions returns the actions of operators on one task, or all actions, the newest first.
-- name: ListTaskActions :many
select * from tasklib.list_task_actions(sqlc.narg('task_id'), sqlc.narg('before'), @max_actions);

-- PurgeExpired deletes ended tasks whose time to live is over, and returns how many tasks it deleted.
-- name: PurgeExpired :one
select tasklib.purge_expired(@max_tasks);

-- Purge deletes tasks that ended before a time, and returns how many tasks it deleted.
-- name: Purge :one
select tasklib.purge(@before, sqlc.narg('state'), sqlc.narg('name'), @max_tasks);

-- Stats returns statistics of the tasks of each name, or of only one name.
-- name: Stats :many
select * from tasklib.stats(sqlc.narg('name'), @since_seconds);

-- GetSetting returns the value of a setting, or ErrNotFound if no setting has that name.
-- name: GetSetting :one
select tasklib.get_setting(@name);

-- ListSettings returns all settings by name.
-- name: ListSettings :many
select * from tasklib.list_settings();

-- SetSetting changes a setting and returns its previous value. If the value is nil, the setting gets its default.
-- name: SetSetting :one
select tasklib.set_setting(@name, sqlc.narg('value'), p_actor => sqlc.narg('actor'), p_reason => sqlc.narg('reason'));

-- Clock returns the database's time. It decides when tasks are due, locks end and schedules tick.
-- name: Clock :one
select tasklib.clock();

-- FindTasksByShortID returns the ids of the tasks whose short id begins with these digits, newest first.
-- name: FindTasksByShortID :many
select t::uuid from tasklib.find_tasks_by_short_id(@short_id) as t;

-- EraseTask erases for good the data of a task that has ended, and reports whether this call erased it.
-- name: EraseTask :one
select tasklib.erase_task(@task_id, @reason);
