create or replace function tasker.tasks_moved(p_ended uuid[], p_undone uuid[], p_keyed uuid[])
  returns void
  language plpgsql
as $$
declare
  v_ok text; -- an assignment needs no executor
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
$$Door: these tasks, which a step started, have ended. These other tasks have to undo their effects. These have ended, and their template bounds its runs. Null for none. Inserts timers.$$;
