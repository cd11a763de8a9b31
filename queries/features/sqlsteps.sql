-- BindSQLRole binds the role that the SQL steps of a namespace run as. It returns true if another role or no role
-- was bound before, and ErrForbidden if the role has not been granted to tasker_owner. Idempotent.
-- name: BindSQLRole :one
select tasker.bind_sql_role(
  @namespace, @role_name, p_actor => sqlc.narg('act_actor'), p_reason => sqlc.narg('act_reason')
);

-- UnbindSQLRole unbinds the role of a namespace's SQL steps. The steps then wait for another role. It returns
-- false if no role was bound.
-- name: UnbindSQLRole :one
select tasker.unbind_sql_role(@namespace, p_actor => sqlc.narg('act_actor'), p_reason => sqlc.narg('act_reason'));

-- ListSQLFunctions returns the functions that steps of a namespace name, and why their steps cannot run. Without a
-- namespace, it returns the functions of all namespaces.
-- name: ListSQLFunctions :many
select * from tasker.list_sql_functions(sqlc.narg('namespace'));

-- BeginSQLStep chooses a SQL step that must be the only step of its call, and sets its time-out. It returns true if
-- there is such a step. RunSQLSteps in the same transaction then runs the step. Nil means all namespaces.
-- name: BeginSQLStep :one
select tasker.begin_sql_step(sqlc.narg('namespaces')::text[]);

-- RunSQLSteps runs at most max_steps SQL steps of these namespaces in the caller's transaction. Nil means all
-- namespaces.
-- name: RunSQLSteps :one
select * from tasker.run_sql_steps(@max_steps, sqlc.narg('namespaces')::text[]);
