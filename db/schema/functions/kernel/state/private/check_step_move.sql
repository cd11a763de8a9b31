create or replace function tasker.check_step_move(
  p_task_uuid          uuid,
  p_step_no            integer,
  p_event              text,
  p_from_state         tasker.step_state,
  p_to_state           tasker.step_state,
  p_execution_time_ms  bigint
)
  returns boolean
  language plpgsql
  immutable
  parallel safe
as $$
begin
  -- The rows of tasker.step_state_machine. Each transaction prepares the expressions that it reaches, which costs more than
  -- their evaluation, so the most frequent events stand alone.
  if p_event = 'Enqueue' and p_from_state = 'pending' and p_to_state = 'enqueued' and p_execution_time_ms is null
     or p_event = 'Start' and p_from_state = 'enqueued' and p_to_state = 'in_progress' and p_execution_time_ms is null then
    return true;
  elsif (
    p_event = 'EnqueueForOrchestration'
    and p_from_state in ('in_progress', 'suspended')
    and p_to_state in ('enqueued_for_orchestration', 'enqueued_as_error_for_orchestration')
    or p_event = 'Complete' and p_from_state in ('enqueued_for_orchestration', 'pending') and p_to_state = 'complete'
  ) and coalesce(p_execution_time_ms >= 0, true) then
    return true;
  -- Parentheses: without them, "elsif" would end at the first "then".
  elsif (
    case p_event
      when 'Enqueue' then p_from_state = 'pending' and p_to_state = 'enqueued'
      when 'Start' then p_from_state = 'enqueued' and p_to_state = 'in_progress'
      when 'WaitForRetry' then
           p_from_state = 'enqueued_as_error_for_orchestration' and p_to_state = 'waiting_for_retry'
      when 'Retry' then p_from_state in ('waiting_for_retry', 'error') and p_to_state = 'pending'
      when 'Fail' then
           p_from_state in ('pending', 'enqueued', 'enqueued_as_error_for_orchestration', 'waiting_for_retry', 'suspended')
           and p_to_state = 'error'
      when 'Skip' then p_from_state in ('pending', 'suspended') and p_to_state = 'cancelled'
      when 'Suspend' then
           p_from_state in ('pending', 'in_progress', 'enqueued_for_orchestration') and p_to_state = 'suspended'
      when 'Resume' then p_from_state = 'suspended' and p_to_state = 'enqueued'
      when 'Release' then p_from_state = 'in_progress' and p_to_state = 'enqueued'
      when 'LeaseExpired' then p_from_state = 'in_progress' and p_to_state = 'enqueued'
      when 'Cancel' then
           p_from_state not in ('complete', 'cancelled', 'resolved_manually') and p_to_state = 'cancelled'
      when 'Tolerate' then p_from_state = 'error' and p_to_state = 'cancelled'
      when 'Reset' then p_from_state = 'error' and p_to_state = 'pending'
      when 'ResolveManually' then
           p_from_state not in ('complete', 'cancelled', 'resolved_manually') and p_to_state = 'resolved_manually'
      when 'CompleteManually' then
           p_from_state in ('pending', 'enqueued', 'in_progress', 'waiting_for_retry', 'suspended', 'error')
           and p_to_state = 'complete'
      else false
    end
  )
     and coalesce(p_execution_time_ms >= 0, true) then
    return true;
  end if;

  if p_execution_time_ms < 0 then
    raise exception using
      errcode    = '23514',
      message    = 'new row for relation "workflow_step_transition_log" violates check constraint '
                   '"workflow_step_transition_log_execution_time_ms_check"',
      detail     = format('execution_time_ms %s', p_execution_time_ms),
      schema     = 'tasker',
      table      = 'workflow_step_transition_log',
      constraint = 'workflow_step_transition_log_execution_time_ms_check';
  end if;
  raise exception using
    errcode    = 'TK409',
    message    = format(
      'step %s cannot go from %s to %s by event "%s"',
      tasker.step_uuid(p_task_uuid, p_step_no), p_from_state, p_to_state, p_event
    ),
    hint       = 'tasker.list_step_transitions() shows every transition that is allowed.',
    schema     = 'tasker',
    table      = 'workflow_step_transition_log',
    constraint = 'workflow_step_transition_log_row_check';
end;
$$;

comment on function tasker.check_step_move is
$$CHECK constraint of the step log: allows only transitions of the state machine, for every writer. Returns true, or raises TK409 for a transition that tasker.step_state_machine does not contain, 23514 for a negative time.

It repeats that table to avoid a query for each row; a test and tasker.check_integrity() compare the two. It sets no search_path, for the reasons given at tasker.check_step_row.$$;
