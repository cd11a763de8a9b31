create or replace function tasker.hold_additions(p_task_uuid uuid, p_last integer)
  returns void
  language plpgsql
as $$
begin
  update tasker.workflow_steps as s
     set effects = s.effects | 16384
   where s.task_uuid = p_task_uuid
     and s.step_no > p_last
     and exists (select from tasker.timers as h where h.task_uuid = p_task_uuid and h.step_no = 0 and h.kind = 'hold_task');
end;
$$;

comment on function tasker.hold_additions is
$$Marks the steps that were added to a paused task, so that no worker gets these steps before the task is resumed. The caller holds the task's lock.$$;
