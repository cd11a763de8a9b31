create or replace function tasker.note_maps(p_task_uuids uuid[], p_step_nos integer[])
  returns void
  language plpgsql
as $$
begin
  insert into tasker.timers (task_uuid, step_no, kind, due_at, namespace)
  select u.task_uuid, u.step_no, 'expand_map', tasker.clock(), tasker.namespace_of_task(u.task_uuid)
    from unnest(p_task_uuids, p_step_nos) as u (task_uuid, step_no)
  on conflict (task_uuid, step_no, kind) do nothing;
  -- Wake clients that sleep until work is due, because the notes are due now.
  perform tasker.notify_orchestrators();
end;
$$;

comment on function tasker.note_maps is
$$Writes notes for maps that can start instances or can end. The notes are timers that are due at once; usually the claim of the same exchange fires them. The caller holds the tasks' locks.$$;
