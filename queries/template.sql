-- PauseNamespace stops a namespace's steps from being claimed; false if it was paused before.
-- name: PauseNamespace :one
select tasker.pause_namespace(@namespace, sqlc.narg('act_actor'), p_reason => sqlc.narg('act_reason'));

-- ResumeNamespace lets a paused namespace's steps be claimed again; false if it was not paused.
-- name: ResumeNamespace :one
select tasker.resume_namespace(@namespace, p_actor => sqlc.narg('act_actor'), p_reason => sqlc.narg('act_reason'));

-- RegisterNamespace makes sure that a namespace exists and returns it. What is left out stays as it is;
-- notify is always, asleep, off, or default.
-- name: RegisterNamespace :one
select * from tasker.register_namespace(
  @name, sqlc.narg('description'), sqlc.narg('result_mode'), sqlc.narg('transport'), sqlc.narg('priority_modifier'),
  sqlc.narg('notify'),
  p_actor => sqlc.narg('act_actor'),
  p_reason => sqlc.narg('act_reason')
);

-- ValidateTaskTemplate returns what is wrong with a template; nothing if it can be registered.
-- name: ValidateTaskTemplate :many
select * from tasker.validate_task_template(@template);

-- RegisterTaskTemplate registers a version of a template; Created is false if the same content was
-- there already. ErrInvalid names the field that is wrong, ErrConflict what differs from the content
-- that is registered under the version.
-- name: RegisterTaskTemplate :one
select * from tasker.register_task_template(@template, p_actor => sqlc.narg('act_actor'), p_reason => sqlc.narg('act_reason'));

-- GetTaskTemplate returns a version of a template, or the newest one that is not retired if version is
-- left out. ErrNotFound if there is none.
-- name: GetTaskTemplate :one
select * from tasker.get_task_template(@namespace, @name, sqlc.narg('version'));

-- ListTaskTemplates returns the templates of a namespace, or of all if it is left out.
-- name: ListTaskTemplates :many
select * from tasker.list_task_templates(sqlc.narg('namespace'));

-- RetireTaskTemplate retires a version of a template; true if this call did. ErrNotFound if there is
-- none.
-- name: RetireTaskTemplate :one
select tasker.retire_task_template(@namespace, @name, @version, p_actor => sqlc.narg('act_actor'), p_reason => sqlc.narg('act_reason'));

-- ListNamespaces returns the namespaces by name.
-- name: ListNamespaces :many
select * from tasker.list_namespaces();
