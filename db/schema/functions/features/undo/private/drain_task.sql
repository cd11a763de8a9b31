create or replace function tasker.drain_task(p_task tasker.tasks, p_processor uuid)
  returns tasker.tasks
  language plpgsql
as $$
declare
  v_facts tasker.task_facts := tasker.sweep_steps(
    tasker.lock_task_facts(p_task.task_uuid), 'undo', 'the task is undone', p_task.undo ->> 'actor'
  );
begin
  if v_facts.active_steps = 0 then
    v_facts.undo := v_facts.undo || jsonb_build_object('phase', 'undo', 'failed', v_facts.failed_steps)
      || jsonb_strip_nulls(jsonb_build_object('next', tasker.plan_undo(p_task.task_uuid)));
    update tasker.tasks as t
       set undo            = v_facts.undo,
           open_steps      = v_facts.open_steps,
           active_steps    = v_facts.active_steps,
           retrying_steps  = v_facts.retrying_steps,
           suspended_steps = v_facts.suspended_steps,
           failed_steps    = v_facts.failed_steps
     where t.task_uuid = p_task.task_uuid
    returning t.* into p_task;
  else
    perform tasker.write_task(v_facts, 0, 0, 0, 0, 0, '{}', null, null, p_processor);
  end if;
  return p_task;
end;
$$;

comment on function tasker.drain_task is
$$Cancels the steps that have begun to wait since the undo of the task began. If no step is in progress, decides which steps have to be undone. Returns the changed task. The caller holds the task's lock.$$;
