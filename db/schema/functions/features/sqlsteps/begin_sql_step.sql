-- The function does not pin search_path and uses "begin atomic" instead, because it must see the caller's
-- statement_timeout.
create or replace function tasker.begin_sql_step(p_namespaces text[] default null)
  returns boolean
  language sql
  security definer
begin atomic
  select tasker.begin_sql_attempt(p_namespaces, current_setting('statement_timeout'));
end;

comment on function tasker.begin_sql_step is
$$Chooses a step that must be alone in its call, of these namespaces (null: all with a bound role), and sets statement_timeout to the step's time-out until the transaction ends. Returns true if there is such a step. The next tasker.run_sql_steps of the same transaction runs it.

A statement's time-out is set before the statement begins, which is why this is a call of its own. Locks a slot, without waiting. Raises TK404 for an unknown namespace, TK403 if the role is bound to other namespaces.$$;

grant execute on function tasker.begin_sql_step to tasker_worker, tasker_orchestrator, tasker_operator;
