-- BindSQLRole binds the role that the SQL steps of a namespace run as: true if another was bound before, or none.
-- Idempotent. ErrForbidden if the role has not been granted to tasker_owner.
-- name: BindSQLRole :one
select tasker.bind_sql_role(
  @namespace, @role_name, p_actor => sqlc.narg('act_actor'), p_reason => sqlc.narg('act_reason')
);

-- UnbindSQLRole takes the role of a namespace's SQL steps back, which then wait: false if none was bound.
-- name: UnbindSQLRole :one
select tasker.unbind_sql_role(@namespace, p_actor => sqlc.narg('act_actor'), p_reason => sqlc.narg('act_reason'));

-- ListSQLFunctions returns the functions that steps of a namespace name, or of all if it is left out, and why their
-- steps cannot run.
-- name: ListSQLFunctions :many
select * from tasker.list_sql_functions(sqlc.narg('namespace'));

-- BeginSQLStep chooses a SQL step that must be alone in its call and sets its time-out: true if RunSQLSteps in the same
-- transaction runs it. Nil means all namespaces.
-- name: BeginSQLStep :one
select tasker.begin_sql_step(sqlc.narg('namespaces')::text[]);

-- RunSQLSteps runs at most a number of SQL steps of these namespaces, nil for all, in the caller's transaction.
-- name: RunSQLSteps :one
select * from tasker.run_sql_steps(@max_steps, sqlc.narg('namespaces')::text[]);
