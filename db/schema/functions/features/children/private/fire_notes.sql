create or replace function tasker.fire_notes(p_due tasker.timers[], p_processor uuid)
  returns void
  language plpgsql
as $$
begin
  -- Delete the notes first, so that notes which the following calls write stay.
  delete from tasker.timers as m
   using unnest(p_due) as d
   where m.task_uuid = any (array[d.task_uuid])
     and m.step_no = d.step_no
     and m.kind = d.kind
     and d.kind in ('start_child', 'child_ended', 'cancel_child');

  -- Cancel before starting, because a cancelled task must not start tasks.
  perform tasker.postpone_notes(tasker.cancel_children(p_due));
  -- Start tasks before telling parents, because a step that begins again must not get the end of an earlier task.
  perform tasker.postpone_notes(tasker.start_children(p_due, p_processor));
  perform tasker.postpone_notes(tasker.tell_parents(p_due, p_processor));
end;
$$;

comment on function tasker.fire_notes is
$$Carries out notes between two tasks: starts the tasks that steps wait for, tells parents that a task has ended, and cancels tasks whose step no longer waits. If the other task of a note is locked, the note is tried again 100 ms later. The caller holds the notes and the locks of the tasks that wrote the notes.$$;
