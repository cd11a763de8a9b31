create or replace function tasker.bound_starts(p_moves tasker.step_moves[])
  returns void
  language plpgsql
as $$
begin
  insert into tasker.timers (task_uuid, step_no, kind, due_at, namespace)
  select
    s.task_uuid, s.step_no, 'start_within', greatest(m.moved_at, tasker.write_clock()) + s.start_within * interval '1 second',
    tasker.namespace_of_task(s.task_uuid)
    from unnest(p_moves) as m
   cross join lateral (
     select s.task_uuid, s.step_no, k.start_within
       from tasker.workflow_steps as s
       join tasker.tasks as t
         on t.task_uuid = s.task_uuid
       join tasker.named_tasks_named_steps as k
         on k.named_task_uuid = t.named_task_uuid
        and k.step_no = coalesce(s.map_no, s.step_no)
      where s.task_uuid = m.task_uuid
        and s.step_no = m.step_no
     offset 0
   ) as s
   where m.to_state = 'enqueued'
     and m.from_state <> 'in_progress'
     and s.start_within is not null
  on conflict (task_uuid, step_no, kind) do update
     set due_at = excluded.due_at,
         xact   = excluded.xact;
  if found then
    -- Wake clients that sleep until work is due, because the new timers may be due sooner.
    perform tasker.notify_orchestrators();
  end if;
end;
$$;

comment on function tasker.bound_starts is
$$Writes a timer for each enqueued step that may wait for a worker only for a limited time (start_within). After a retry or the end of a wait, the time begins again. A start does not delete the timer. For a step that goes from its worker back to the queue, no timer is written, because its caller does not hold the task; its old timer is postponed when it fires (tasker.fail_late_starts). The caller holds the tasks' locks.$$;
