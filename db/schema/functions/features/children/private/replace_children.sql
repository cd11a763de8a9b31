create or replace function tasker.replace_children(p_task_uuid uuid, p_step_nos integer[])
  returns void
  language plpgsql
as $$
begin
  -- The note has the key of the task that it cancels, because the step no longer names that task, and may name another
  -- task when the note is fired.
  insert into tasker.timers (task_uuid, kind, due_at, namespace)
  select c.task_uuid, 'cancel_child', tasker.write_clock(), tasker.namespace_of_task(c.task_uuid)
    from unnest(p_step_nos) as u (step_no)
   cross join lateral (
     select s.child_task_uuid
       from tasker.workflow_steps as s
      where s.task_uuid = p_task_uuid
        and s.step_no = u.step_no
        and s.child_task_uuid is not null
        and not s.await @> '{"task": {"abandon": true}}'
     offset 0
   ) as s
   cross join lateral (
     select c.task_uuid
       from tasker.tasks as c
      where c.task_uuid = s.child_task_uuid
        and not c.complete
     offset 0
   ) as c
  on conflict (task_uuid, step_no, kind) do nothing;
  if found then
    perform tasker.notify_orchestrators();
  end if;
  update tasker.workflow_steps as s
     set child_task_uuid = null
   where s.task_uuid = p_task_uuid
     and s.step_no = any (p_step_nos)
     and s.child_task_uuid is not null;
end;
$$;

comment on function tasker.replace_children is
$$Lets steps that run again start new tasks. The steps no longer name the tasks that they started. Writes notes that cancel the former tasks that are open, unless the template abandons them. A former task that has ended does not change. The door steps_rerun calls this function, so the caller holds the locks of the steps and their task.$$;
