create or replace function tasker.note_undo(p_task_uuids uuid[])
  returns void
  language plpgsql
as $$
begin
  insert into tasker.timers (task_uuid, kind, due_at, namespace)
  select u.task_uuid, 'undo_task', tasker.clock(), tasker.namespace_of_task(u.task_uuid)
    from unnest(p_task_uuids) as u (task_uuid)
  on conflict (task_uuid, step_no, kind) do nothing;
  -- Wake clients that sleep until work is due, because the notes are due now.
  perform tasker.notify_orchestrators();
end;
$$;

comment on function tasker.note_undo is
$$Writes notes for tasks whose undo has a next action. The notes are timers that are due at once; usually the claim of the same exchange fires them. The caller holds the tasks' locks.$$;
