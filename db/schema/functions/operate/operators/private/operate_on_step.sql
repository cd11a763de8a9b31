create or replace function tasker.operate_on_step(
  p_step_uuid  uuid,
  p_event      text,
  p_metadata   jsonb,
  p_actor      text
)
  returns boolean
  language plpgsql
as $$
declare
  v_task  tasker.task_facts;
  v_ended boolean;
  v_old   tasker.workflow_steps;
  v_to    tasker.step_state;
begin
  perform tasker.check_transition_metadata(p_metadata);
  perform tasker.check_step_exists(p_step_uuid);
  v_task := tasker.lock_task_facts(tasker.task_uuid_of(p_step_uuid));
  v_ended := v_task.state in ('complete', 'error', 'cancelled', 'resolved_manually');
  select s.*
    into v_old
    from tasker.workflow_steps as s
   where s.task_uuid = v_task.task_uuid
     and s.step_no = tasker.step_no_of(p_step_uuid)
     for no key update;

  if v_old.state = 'error' and v_old.undo_no is null and tasker.is_undone(v_task.undo) then
    raise exception using
      errcode = 'TK409',
      message = format('step %s has failed, and its task is being undone: event %s does not apply', p_step_uuid, p_event),
      hint    = 'Retry or settle the compensations, whose names begin with "undo".';
  end if;

  if p_event = 'CompleteManually' and v_old.state = 'complete' and p_metadata ? 'results'
     and v_old.results is distinct from p_metadata -> 'results' then
    raise exception using
      errcode = 'TK409',
      message = format('step %s is complete with another result', p_step_uuid),
      hint    = 'Correct the result with tasker.rerun_step(step, reason, p_results => results): what depends on the step runs again.';
  end if;
  -- This is a repeated call: the step is already settled in this way, or is already going to run again.
  if p_event <> 'Retry' and exists (
       select from tasker.step_state_machine as m where m.event = p_event and m.to_state = v_old.state
     )
     or p_event = 'Retry' and v_old.state in ('pending', 'enqueued', 'in_progress', 'suspended') and not v_ended then
    return false;
  end if;
  select m.to_state
    into v_to
    from tasker.step_state_machine as m
   where m.from_state = v_old.state
     and m.event = p_event;
  if not found or v_ended then
    raise exception using
      errcode = 'TK409',
      message = format('step %s is %s, its task %s: event %s does not apply', p_step_uuid, v_old.state, v_task.state, p_event),
      hint    = case
        when p_event = 'CompleteManually' and v_old.state = 'resolved_manually'
        then 'Give it a result with tasker.rerun_step(step, reason, p_results => results): what depends on the step runs again.'
        when v_task.state in ('error', 'cancelled') and v_task.undo is not null
        then 'The task was undone: repeat it with tasker.fork_task(task, step).'
        when v_task.state = 'error'
        then 'A failed task continues after tasker.reset_task(task).'
        else 'tasker.list_step_transitions() shows the transitions of each state of a step.'
      end;
  end if;

  if v_old.state = 'in_progress' then
    perform tasker.notify_cancelled(v_task.namespace, v_task.task_uuid, array[v_old.step_no]);
  end if;
  perform tasker.apply_held_move(
    tasker.direct_move(v_old, p_event, v_to, null, p_metadata, tasker.actor_name(p_actor)), v_task
  );

  -- Do not start a task whose start is left to an orchestrator or not due yet.
  if not exists (select from tasker.waiting_tasks as w where w.task_uuid = v_task.task_uuid) then
    perform tasker.advance_tasks(array[v_task.task_uuid]);
  end if;
  return true;
end;
$$;

comment on function tasker.operate_on_step is
$$Applies an operator's event to a step and advances its task, if it has started. Returns true if the step moved, and
false if it already is in the event's target state. Locks the task, then the step. Raises TK404 if there is no such
step. Raises TK409 if the event does not apply to its state or the task has ended. Raises TK413 or TK422 if results or
reason are invalid.$$;
