create or replace function tasker.task_is_blocked(p_state tasker.task_state, p_on_failure text, p_undo jsonb)
  returns boolean
  language sql
  immutable
  parallel safe
begin atomic
  select p_state = 'blocked_by_failures' and tasker.failure_policy(p_on_failure, p_undo) <> 'fail_undo';
end;

comment on function tasker.task_is_blocked is
$$Returns true if a task waits for an operator. A task that has something to undo, and whose template says on_failure: fail, is in the state blocked_by_failures only until its note about the undo is processed. Such a task does not wait for an operator.$$;
