create or replace function tasker.lock_undiscovered_tasks(p_task_uuids uuid[])
  returns uuid[]
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_locked uuid[] := tasker.lock_tasks(p_task_uuids);
begin
  -- Check in a new statement, which sees whether another session discovered a task before this session locked it.
  return array(
    select t.task_uuid
      from unnest(v_locked) as u (task_uuid)
      join tasker.tasks as t
        on t.task_uuid = u.task_uuid
     where not t.complete
       and not exists (
         select
           from tasker.waiting_tasks as w
          where w.task_uuid = t.task_uuid
            and w.discovered_until > tasker.clock()
       )
       and not exists (
         select
           from tasker.timers as m
          where m.task_uuid = t.task_uuid
            and m.step_no = 0
            and m.kind = 'advance_task'
            and m.due_at > tasker.clock()
       )
  );
end;
$$;

comment on function tasker.lock_undiscovered_tasks is
$$Locks tasks and their timers. Returns the locked tasks that are open and that no other session has discovered. Skips tasks that other transactions hold.$$;
