-- BoundNamespaces returns the namespaces that the caller is kept to; empty if it may work in all.
-- name: BoundNamespaces :one
select coalesce(tasker.bound_namespaces(), '{}')::text[];

-- MaySeeTask returns whether a task, or the task of a step, is in a namespace that the caller may work in.
-- name: MaySeeTask :one
select tasker.may_see_task(@task_uuid);
