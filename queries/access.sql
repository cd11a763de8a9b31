-- BindRole says to which namespaces a database role is kept, none to free it; returns how many.
-- name: BindRole :one
select tasker.bind_role(@role_name, @namespaces::text[], p_actor => sqlc.narg('act_actor'), p_reason => sqlc.narg('act_reason'));

-- BoundNamespaces returns the namespaces that the caller is kept to; empty if it may work in all.
-- name: BoundNamespaces :one
select coalesce(tasker.bound_namespaces(), '{}')::text[];

-- MaySeeTask returns whether a task, or the task of a step, is in a namespace that the caller may work in.
-- name: MaySeeTask :one
select tasker.may_see_task(@task_uuid);
