create or replace function tasker.retry_found_step(p_step tasker.step_retries, p_locked boolean, p_reason text, p_actor text)
  returns text
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  if not p_locked then
    return 'locked';
  -- While the task is locked, the step stays in its state and the task stays open.
  elsif not exists (
    select
      from tasker.workflow_steps as s
      join tasker.tasks as t
        on t.task_uuid = s.task_uuid
     where s.task_uuid = p_step.task_uuid
       and s.step_no = tasker.step_no_of(p_step.step_uuid)
       and s.state = p_step.state
       and not t.complete
       and (s.undo_no is not null or not tasker.is_undone(t.undo))
  ) then
    return 'moved';
  end if;
  perform tasker.operate_on_step(p_step.step_uuid, 'Retry', jsonb_build_object('reason', p_reason), p_actor);
  return 'retried';
end;
$$;

comment on function tasker.retry_found_step is
$$Retries a step that tasker.retry_steps has found, and returns the outcome. Does so only if the caller holds the lock
of the step's task (p_locked) and the step is still in the state in which it was found.$$;
