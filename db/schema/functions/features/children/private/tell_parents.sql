create or replace function tasker.tell_parents(p_due tasker.timers[], p_processor uuid)
  returns tasker.timers[]
  language plpgsql
as $$
declare
  v_children uuid[];
  v_parents  uuid[];
  v_locked   uuid[];
  v_moves    tasker.step_moves[];
begin
  select array_agg(t.task_uuid order by t.task_uuid), array_agg(t.parent order by t.task_uuid)
    into v_children, v_parents
    from unnest(p_due) as d
   cross join lateral (
     select t.task_uuid, tasker.task_uuid_of(t.parent_step_uuid) as parent
       from tasker.tasks as t
      where t.task_uuid = d.task_uuid
        and t.complete
     offset 0
   ) as t
   where d.kind = 'child_ended'
     and exists (select from tasker.tasks as p where p.task_uuid = t.parent and not p.complete);
  if v_children is null then
    return '{}';
  end if;

  v_locked := tasker.lock_tasks(v_parents);
  v_moves := tasker.child_end_moves(v_children, v_locked) || tasker.run_end_moves(v_children, v_locked);
  if cardinality(v_moves) > 0 then
    perform tasker.apply_moves(
      v_moves, tasker.task_facts(array(select m.task_uuid from unnest(v_moves) as m)), p_processor
    );
    -- The end of the wait wrote a note that cancels the child. Delete the note, because the child has ended.
    delete from tasker.timers as n
     using unnest(v_moves) as m
     where n.task_uuid = any (array[m.task_uuid])
       and n.step_no = m.step_no
       and n.kind = 'cancel_child';
  end if;
  return array(
    select (u.task_uuid, 0, 'child_ended', tasker.clock() + interval '100 milliseconds', null, tasker.namespace_of_task(u.task_uuid))::tasker.timers
      from unnest(v_children, v_parents) as u (task_uuid, parent)
     where u.parent <> all (v_locked)
  );
end;
$$;

comment on function tasker.tell_parents is
$$Moves the steps that wait for tasks which have ended (tasker.child_end_moves, tasker.run_end_moves). Skips locked parent tasks, and returns their notes with the time of the next try. The caller holds the notes and the tasks' locks.$$;
