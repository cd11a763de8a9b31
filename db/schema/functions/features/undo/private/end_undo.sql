create or replace function tasker.end_undo(p_task tasker.tasks)
  returns void
  language plpgsql
as $$
declare
  v_event text := p_task.undo ->> 'event';
begin
  update tasker.tasks as t
     set undo = p_task.undo || '{"phase": "done"}'
   where t.task_uuid = p_task.task_uuid
  returning t.* into p_task;
  -- The event GiveUp exists only in the state blocked_by_failures.
  if v_event = 'GiveUp' and p_task.state <> 'blocked_by_failures' then
    perform tasker.walk_task(p_task, 'blocked');
    select t.* into p_task from tasker.tasks as t where t.task_uuid = p_task.task_uuid;
  end if;
  perform tasker.move_task(
    p_task, v_event, (p_task.undo ->> 'to_state')::tasker.task_state, (p_task.undo ->> 'processor_uuid')::uuid,
    p_task.undo -> 'metadata', p_task.undo ->> 'actor'
  );
end;
$$;

comment on function tasker.end_undo is
$$Ends a task that has been undone: carries out the event that began the undo, with its reason and its actor. The caller holds the task's lock.$$;
