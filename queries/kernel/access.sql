-- BoundNamespaces returns the namespaces that the caller is bound to. The answer is empty if the caller may
-- work in all namespaces.
-- name: BoundNamespaces :one
select coalesce(tasker.bound_namespaces(), '{}')::text[];

-- MaySeeTask returns whether a task, or the task of a step, is in a namespace that the caller may work in.
-- name: MaySeeTask :one
select tasker.may_see_task(@task_uuid);

-- CheckRecentSignIn returns true for a person who has signed in recently, and false for roles and tokens. It fails
-- if the sign-in is too old for an action that cannot be undone.
-- name: CheckRecentSignIn :one
select tasker.check_recent_sign_in();
