create or replace function tasker.count_task(p_task tasker.task_facts)
  returns void
  language plpgsql
as $$
begin
  update tasker.tasks as t
     set open_steps      = p_task.open_steps,
         active_steps    = p_task.active_steps,
         retrying_steps  = p_task.retrying_steps,
         suspended_steps = p_task.suspended_steps,
         failed_steps    = p_task.failed_steps,
         updated_at      = greatest(tasker.write_clock(), p_task.updated_at)
   where t.task_uuid = p_task.task_uuid;
end;
$$;

comment on function tasker.count_task is
$$Writes only the counters of a task. The caller holds the task's lock.$$;
