create or replace function tasker.check_task_guards(p_task tasker.tasks, p_event text, p_to_state tasker.task_state)
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_refusal text;
begin
  -- The caller has checked that the state machine allows the transition. These conditions do not follow from the state alone.
  v_refusal := case
    when p_event = 'Rerun'
      then 'tasker.rerun_step(step, reason) opens it again, with the step whose result is wrong'
    when p_to_state in ('complete', 'error', 'cancelled') and tasker.is_undone(p_task.undo)
         and (p_to_state <> 'error' or p_task.state <> 'blocked_by_failures')
      then 'it is being undone, and ends after that'
    when p_to_state = 'complete' and not tasker.task_can_complete(p_task.task_uuid)
      then 'it has steps that are not done'
    when p_to_state = 'steps_in_process' and p_task.active_steps = 0
      then 'none of its steps is in the pipeline'
    when p_to_state = 'waiting_for_retry' and p_task.retrying_steps = 0
      then 'none of its steps waits for a retry'
    when p_to_state = 'blocked_by_failures' and p_task.failed_steps = 0
      then 'none of its steps has failed'
    when p_to_state = 'blocked_by_failures' and p_task.active_steps + p_task.retrying_steps + p_task.suspended_steps > 0
      then 'some of its steps can still move'
  end;

  if v_refusal is not null then
    raise exception using
      errcode = 'TK409',
      message = format('task %s cannot go from %s to %s: %s', p_task.task_uuid, p_task.state, p_to_state, v_refusal),
      detail  = format(
        'Of %s steps %s are open, %s in the pipeline, %s wait for a retry, %s are suspended, %s have failed.',
        p_task.total_steps, p_task.open_steps, p_task.active_steps, p_task.retrying_steps,
        p_task.suspended_steps, p_task.failed_steps
      ),
      hint    = 'tasker.get_task_execution_context(task) shows what its steps wait for.';
  end if;
end;
$$;

comment on function tasker.check_task_guards is
$$Raises TK409 if a condition beyond the state machine forbids the transition of a task. The caller holds the task's lock.$$;
