create or replace function tasker.note_undo(p_task_uuids uuid[])
  returns void
  language plpgsql
as $$
begin
  insert into tasker.timers (task_uuid, kind, due_at, namespace)
  select u.task_uuid, 'undo_task', tasker.clock(), tasker.namespace_of_task(u.task_uuid)
    from unnest(p_task_uuids) as u (task_uuid)
  on conflict (task_uuid, step_no, kind) do nothing;
  -- A client that sleeps until work is due learns that work may be due sooner.
  perform tasker.notify_orchestrators();
end;
$$;

comment on function tasker.note_undo is
$$Writes the notes of tasks of which something is to be undone next: timers that are due at once, fired like any other, usually by the claim of the same exchange. The caller holds the tasks' locks.$$;
