create or replace function tasker.move_task(
  p_task            tasker.tasks,
  p_event           text,
  p_to_state        tasker.task_state,
  p_processor_uuid  uuid,
  p_metadata        jsonb,
  p_actor           text
)
  returns void
  language plpgsql
as $$
declare
  v_reason text := coalesce(p_metadata ->> 'reason', p_metadata ->> 'error');
  v_sweep  text := case
    when p_to_state in ('cancelled', 'resolved_manually') then 'cancel'
    -- If a task fails, its steps in the pipeline fail with it. A completed task has no steps in the pipeline.
    when p_to_state in ('error', 'complete') then 'fail'
    when p_event = 'Reset' then 'reset'
  end;
  v_task   tasker.task_facts := tasker.lock_task_facts(p_task.task_uuid);
begin
  if p_task.erased_at is not null then
    perform tasker.raise_erased(p_task.task_uuid);
  end if;
  -- A task that has something to undo ends when its undo is done.
  if v_task.undo is not null and p_event in ('Cancel', 'GiveUp', 'Timeout', 'EnqueueFailed') then
    if tasker.task_ending(p_task, v_task, p_event, p_to_state, p_processor_uuid, p_metadata, p_actor) then
      return;
    end if;
  end if;

  if v_sweep is not null then
    -- The log row of the task has the reason. The log rows of its steps do not repeat it.
    v_task := tasker.sweep_steps(v_task, v_sweep, case when v_sweep <> 'reset' then v_reason end, p_actor);
  end if;

  perform tasker.write_task_move(v_task, p_event, p_to_state, p_processor_uuid, p_metadata, p_actor);
end;
$$;

comment on function tasker.move_task is
$$Moves a task to a state with all consequences: cancels, fails or resets its steps, writes its log and row, and sets its timers. If the task is still open, an orchestrator evaluates it. If a task that has something to undo would be cancelled or fail, its undo begins instead (tasker.begin_undo). During the undo, the event GiveUp ends the task, and other events change nothing. The caller holds the task's lock, and has checked that the move is allowed.$$;
