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
$$Chooses a SQL step that must run alone in its call, from these namespaces (null: all namespaces with a bound role). Sets statement_timeout to the step's time-out until the transaction ends. Returns true if there is such a step. The next tasker.run_sql_steps of the same transaction runs this step.

The choice is a call of its own, because a statement's time-out must be set before the statement begins. Locks a slot, without waiting. Raises TK404 for an unknown namespace, TK403 if the role is bound to other namespaces.$$;

grant execute on function tasker.begin_sql_step to tasker_worker, tasker_orchestrator, tasker_operator;
