create or replace function tasker.recommended_action(p_execution_status text)
  returns text
  language sql
  immutable
  parallel safe
begin atomic
  select case p_execution_status
    when 'has_ready_steps' then 'execute_ready_steps'
    when 'processing' then 'wait_for_completion'
    when 'waiting_for_retry' then 'wait_for_retry'
    when 'blocked_by_failures' then 'handle_failures'
    when 'all_complete' then 'finalize_task'
    when 'waiting_for_dependencies' then 'wait_for_dependencies'
    else 'none'
  end;
end;

comment on function tasker.recommended_action is
$$Returns the action that an orchestrator or an operator should take for a task with this execution status.$$;
