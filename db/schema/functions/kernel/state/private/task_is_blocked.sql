create or replace function tasker.task_is_blocked(p_state tasker.task_state, p_on_failure text, p_undo jsonb)
  returns boolean
  language sql
  immutable
  parallel safe
begin atomic
  select p_state = 'blocked_by_failures' and tasker.failure_policy(p_on_failure, p_undo) <> 'fail_undo';
end;

comment on function tasker.task_is_blocked is
$$Returns true if a task waits for an operator. A task whose template says on_failure: fail, and of which something is to be undone, is blocked_by_failures only until its note to undo is fired.$$;
