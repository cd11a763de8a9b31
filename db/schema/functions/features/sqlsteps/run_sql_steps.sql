-- The function does not pin search_path and uses "begin atomic" instead, because it must see the settings of
-- the caller's session.
create or replace function tasker.run_sql_steps(p_limit integer default 25, p_namespaces text[] default null)
  returns setof tasker.sql_runs
  language sql
  security definer
begin atomic
  select r.* from tasker.run_sql(coalesce(p_limit, 25), p_namespaces, tasker.session_settings()) as r;
end;

comment on function tasker.run_sql_steps is
$$Runs at most p_limit (null: 25) steps that are SQL, of these namespaces (null: all with a bound role): claims them,
calls their functions and records the results, in the caller's transaction, so the writes of a function exist exactly
once for each completed step. Each step has a subtransaction: a failure rolls back the writes of its function, and is
recorded with SQLSTATE and message. It calls the functions as the role that tasker.bind_sql_role has bound. Returns one
row: how many steps completed and failed, how many were put off, and whether to call again at once.

Steps with a time-out, steps that were tried before, and all steps after a call that left no record are put off. Their attempt is written, and a later call runs only one of them. That call has the step's time-out if tasker.begin_sql_step was called before it in the same transaction. Without it, such a step waits unless the session's statement_timeout is not longer.

Call it in a transaction of its own, in READ COMMITTED. At most 8 sessions claim at once, and 16 run steps that are alone. Afterwards the session has the settings that it had, except settings that belong neither to PostgreSQL nor to pgtasker, which are reset. Locks its slot, then as claim_steps, and tasks without waiting. The task of a step that is alone for at most two seconds. Raises TK422 for a limit out of range, TK404 for an unknown namespace, TK403 if the role is bound to other namespaces, TK409 above READ COMMITTED.$$;

grant execute on function tasker.run_sql_steps to tasker_worker, tasker_orchestrator, tasker_operator;
