create or replace function tasker.fire_notes(p_due tasker.timers[], p_processor uuid)
  returns void
  language plpgsql
as $$
begin
  -- First, so that notes from here on stay.
  delete from tasker.timers as m
   using unnest(p_due) as d
   where m.task_uuid = any (array[d.task_uuid])
     and m.step_no = d.step_no
     and m.kind = d.kind
     and d.kind in ('start_child', 'child_ended', 'cancel_child');

  -- A task that is cancelled starts none of its own.
  perform tasker.postpone_notes(tasker.cancel_children(p_due));
  -- Starts before ends, because a step that began again must not get an end from before.
  perform tasker.postpone_notes(tasker.start_children(p_due, p_processor));
  perform tasker.postpone_notes(tasker.tell_parents(p_due, p_processor));
end;
$$;

comment on function tasker.fire_notes is
$$Carries out notes between tasks: starts the tasks that steps wait for, tells parents that a task has ended, cancels
tasks whose step no longer waits. Tries the second task of each. A busy task is tried again 100 ms later. The caller
holds the notes and the locks of the tasks that wrote them.$$;
