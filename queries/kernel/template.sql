-- PauseNamespace stops claims of a namespace's steps. It returns false if the namespace was paused before.
-- name: PauseNamespace :one
select tasker.pause_namespace(@namespace, sqlc.narg('act_actor'), p_reason => sqlc.narg('act_reason'));

-- ResumeNamespace allows claims of a paused namespace's steps again. It returns false if the namespace was
-- not paused.
-- name: ResumeNamespace :one
select tasker.resume_namespace(@namespace, p_actor => sqlc.narg('act_actor'), p_reason => sqlc.narg('act_reason'));

-- ValidateTaskTemplate returns the problems of a template. It returns no row if the template can be
-- registered.
-- name: ValidateTaskTemplate :many
select * from tasker.validate_task_template(@template);

-- GetTaskTemplate returns a version of a template. Without version, it returns the newest version that is not
-- retired. It returns ErrNotFound if there is no such version.
-- name: GetTaskTemplate :one
select * from tasker.get_task_template(@namespace, @name, sqlc.narg('version'));

-- ListTaskTemplates returns the templates of a namespace. Without a namespace, it returns the templates of
-- all namespaces.
-- name: ListTaskTemplates :many
select * from tasker.list_task_templates(sqlc.narg('namespace'));

-- RetireTaskTemplate retires a version of a template. It returns true if this call retired the version, and
-- ErrNotFound if the version does not exist.
-- name: RetireTaskTemplate :one
select tasker.retire_task_template(@namespace, @name, @version, p_actor => sqlc.narg('act_actor'), p_reason => sqlc.narg('act_reason'));

-- ListNamespaces returns the namespaces by name.
-- name: ListNamespaces :many
select * from tasker.list_namespaces();

-- PauseHandler stops claims of a handler's steps in a namespace, until the handler is resumed. It returns false if the handler was
-- paused in the same way before.
-- name: PauseHandler :one
select tasker.pause_handler(
  @namespace, @handler, sqlc.narg('until'), sqlc.narg('act_actor'), p_reason => sqlc.narg('act_reason')
);

-- ResumeHandler allows claims of a paused handler's steps again. It returns false if the handler was not
-- paused.
-- name: ResumeHandler :one
select tasker.resume_handler(@namespace, @handler, p_actor => sqlc.narg('act_actor'), p_reason => sqlc.narg('act_reason'));

-- ListHandlerPauses returns the handlers that are paused in a namespace. Without a namespace, it returns the
-- paused handlers of all namespaces.
-- name: ListHandlerPauses :many
select * from tasker.list_handler_pauses(sqlc.narg('namespace'));

-- PauseTemplate stops claims of the steps of all handlers of a template in its namespace, until the template is resumed. It returns the
-- handlers that are paused for the template now.
-- name: PauseTemplate :one
select tasker.pause_template(
  @namespace, @name, sqlc.narg('until'), sqlc.narg('shared'), sqlc.narg('act_actor'), p_reason => sqlc.narg('act_reason')
)::text[];

-- ResumeTemplate ends the pauses of the handlers that are paused for a template. It returns the names of
-- these handlers.
-- name: ResumeTemplate :one
select tasker.resume_template(@namespace, @name, p_actor => sqlc.narg('act_actor'), p_reason => sqlc.narg('act_reason'))::text[];
