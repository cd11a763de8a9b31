create or replace function tasker.tasks_moved(p_ended uuid[], p_undone uuid[], p_keyed uuid[])
  returns void
  language plpgsql
as $$
declare
  v_ok text; -- an assignment, unlike PERFORM, starts no executor
begin
  if p_undone is not null then
    v_ok := tasker.note_undo(p_undone);
  end if;
  if p_ended is not null then
    v_ok := tasker.note_child_end(p_ended);
  end if;
  if p_keyed is not null then
    v_ok := tasker.leave_runs(p_keyed);
  end if;
end;
$$;

comment on function tasker.tasks_moved is
$$Door: tasks have moved. There are three lists of tasks, each null if it is empty: tasks that a step started and that have ended, tasks that have to undo their effects, and tasks that have ended and whose template limits how many tasks run. Inserts timers.$$;
