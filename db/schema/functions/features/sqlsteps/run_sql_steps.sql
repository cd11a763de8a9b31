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
$$Runs at most p_limit (null: 25) SQL steps of these namespaces (null: all namespaces with a bound role). Claims the steps, calls their functions and records the results in the caller's transaction. So the writes of a function exist exactly once for each completed step. Each step runs in a subtransaction: a failure rolls back the writes of its function, and is recorded with SQLSTATE and message. The functions run as the role that tasker.bind_sql_role has bound. Returns one row: how many steps completed, failed and were put off, and whether to call again at once.

Steps with a time-out, steps that were tried before, and all steps after a call that left no record are put off. The call records their attempt, and a later call runs one of these steps alone. If tasker.begin_sql_step was called before in the same transaction, the later call has the step's time-out. Otherwise the later call runs such a step only if the session's statement_timeout is not longer than the step's time-out.

Call the function in a transaction of its own, in READ COMMITTED. At most 8 sessions claim at once, and at most 16 sessions run a step alone. Afterwards the session has its former settings, except that settings which belong neither to PostgreSQL nor to pgtasker are reset. Locks a slot, then takes the locks of claim_steps, and skips locked tasks. If a step runs alone, the call waits at most two seconds for the lock of its task. Raises TK422 for a limit out of range, TK404 for an unknown namespace, TK403 if the role is bound to other namespaces, TK409 above READ COMMITTED.$$;

grant execute on function tasker.run_sql_steps to tasker_worker, tasker_orchestrator, tasker_operator;
