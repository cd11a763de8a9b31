create or replace function tasker.check_task_move(
  p_task_uuid   uuid,
  p_event       text,
  p_from_state  tasker.task_state,
  p_to_state    tasker.task_state
)
  returns boolean
  language plpgsql
  immutable
  parallel safe
as $$
begin
  -- The rows of tasker.task_state_machine. Each transaction prepares the expressions that it reaches, which costs more than
  -- their evaluation, so the most frequent events stand alone: of a creation, and of results.
  if p_event = 'Start' and p_from_state = 'pending' and p_to_state = 'initializing'
     or p_event = 'ReadyStepsFound' and p_from_state in ('initializing', 'evaluating_results') and p_to_state = 'enqueuing_steps'
     or p_event = 'StepsEnqueued' and p_from_state = 'enqueuing_steps' and p_to_state = 'steps_in_process' then
    return true;
  elsif p_event = 'StepCompleted' and p_from_state in ('steps_in_process', 'waiting_for_retry') and p_to_state = 'evaluating_results'
     or p_event = 'AllStepsCompleted' and p_from_state = 'steps_in_process' and p_to_state = 'evaluating_results'
     or p_event = 'AllStepsSuccessful' and p_from_state = 'evaluating_results' and p_to_state = 'complete' then
    return true;
  -- Parentheses: without them, "elsif" would end at the first "then".
  elsif (
    case p_event
      when 'NoDependenciesReady' then
           p_from_state in ('initializing', 'evaluating_results') and p_to_state = 'waiting_for_dependencies'
      when 'DependenciesReady' then
           p_from_state = 'waiting_for_dependencies' and p_to_state = 'evaluating_results'
      when 'StepFailed' then p_from_state = 'steps_in_process' and p_to_state = 'waiting_for_retry'
      when 'RetryPending' then p_from_state = 'evaluating_results' and p_to_state = 'waiting_for_retry'
      when 'RetryReady' then p_from_state = 'waiting_for_retry' and p_to_state = 'enqueuing_steps'
      when 'PermanentFailure' then p_from_state = 'evaluating_results' and p_to_state = 'blocked_by_failures'
      when 'Unblocked' then p_from_state = 'blocked_by_failures' and p_to_state = 'evaluating_results'
      when 'NoStepsFound' then p_from_state = 'initializing' and p_to_state = 'complete'
      when 'Cancel' then
           p_from_state not in ('complete', 'error', 'cancelled', 'resolved_manually') and p_to_state = 'cancelled'
      when 'Timeout' then
           p_from_state not in ('complete', 'error', 'cancelled', 'resolved_manually') and p_to_state = 'error'
      when 'GiveUp' then p_from_state = 'blocked_by_failures' and p_to_state = 'error'
      when 'ManualResolution' then p_from_state = 'blocked_by_failures' and p_to_state = 'resolved_manually'
      when 'EnqueueFailed' then p_from_state = 'enqueuing_steps' and p_to_state = 'error'
      when 'Reset' then p_from_state = 'error' and p_to_state = 'pending'
      else false
    end
  ) then
    return true;
  end if;

  raise exception using
    errcode    = 'TK409',
    message    = format('task %s cannot go from %s to %s by event "%s"', p_task_uuid, p_from_state, p_to_state, p_event),
    hint       = 'tasker.list_task_transitions() shows every transition that is allowed.',
    schema     = 'tasker',
    table      = 'task_transition_log',
    constraint = 'task_transition_log_row_check';
end;
$$;

comment on function tasker.check_task_move is
$$CHECK constraint of the task log: allows only transitions of the state machine, for every writer. Returns true, or raises TK409 for a transition that tasker.task_state_machine does not contain.

It repeats that table to avoid a query for each row; a test and tasker.check_integrity() compare the two. It sets no search_path, for the reasons given at tasker.check_step_row.$$;
