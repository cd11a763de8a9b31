create or replace function tasker.task_is_held(p_task_uuid uuid)
  returns boolean
  language sql
  stable
begin atomic
  select exists (select from tasker.timers as h where h.task_uuid = p_task_uuid and h.step_no = 0 and h.kind = 'hold_task');
end;

comment on function tasker.task_is_held is
$$Returns whether a task is paused (tasker.pause_task).$$;
