create or replace function tasker.cancel_children(p_due tasker.timers[])
  returns tasker.timers[]
  language plpgsql
as $$
declare
  v_notes    tasker.timers[];
  v_children uuid[];
  v_locked   uuid[];
begin
  select array_agg(d order by c.task_uuid), array_agg(c.task_uuid order by c.task_uuid)
    into v_notes, v_children
    from unnest(p_due) as d
   cross join lateral (
     select t.task_uuid
       from tasker.workflow_steps as s
      cross join unnest(coalesce(s.child_task_uuids, array[s.child_task_uuid])) as u (task_uuid)
       join tasker.tasks as t
         on t.task_uuid = u.task_uuid
      where s.task_uuid = d.task_uuid
        and s.step_no = d.step_no
        -- If a function waits again, the tasks that it waits for now stay.
        and (s.state <> 'suspended' or s.child_task_uuids is not null and (s.wait -> 'started' ? t.task_uuid::text) is not true)
        and t.parent_step_uuid = s.workflow_step_uuid
        and not t.complete
     offset 0
   ) as c
   where d.kind = 'cancel_child';
  -- A note with step number 0 names the task to cancel, because the step that started this task no longer names it. The
  -- caller holds the lock of the task.
  perform tasker.move_task(t.task, 'Cancel', 'cancelled', null, '{"reason": "the step that started it runs again"}', 'task ' || t.parent)
     from (
       select d.task_uuid
         from unnest(p_due) as d
        where d.kind = 'cancel_child'
          and d.step_no = 0
        order by d.task_uuid
     ) as d
    cross join lateral (
      select t as task, tasker.task_uuid_of(t.parent_step_uuid) as parent
        from tasker.tasks as t
       where t.task_uuid = d.task_uuid
         and not t.complete
         and not tasker.is_undone(t.undo)
      offset 0
    ) as t;
  if v_children is null then
    return '{}';
  end if;

  v_locked := tasker.lock_tasks(v_children);
  perform tasker.move_task(t.task, 'Cancel', 'cancelled', null, '{"reason": "the step that waited for it has ended"}', 'task ' || t.parent)
     from (
       select u.task_uuid
         from unnest(v_locked) as u (task_uuid)
        order by u.task_uuid
     ) as u
    cross join lateral (
      select t as task, tasker.task_uuid_of(t.parent_step_uuid) as parent
        from tasker.tasks as t
       where t.task_uuid = u.task_uuid
         and not t.complete
      offset 0
    ) as t;
  return array(
    select (u.task_uuid, u.step_no, u.kind, tasker.clock() + interval '100 milliseconds', null, u.namespace)::tasker.timers
      from unnest(v_notes) with ordinality as u
     where v_children[u.ordinality] <> all (v_locked)
  );
end;
$$;

comment on function tasker.cancel_children is
$$Cancels the open tasks that steps started and no longer wait for, because the step has ended or runs again. Skips locked tasks, and returns their notes with the time of the next try. The caller holds the notes and the parents' locks.$$;
