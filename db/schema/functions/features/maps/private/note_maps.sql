create or replace function tasker.note_maps(p_task_uuids uuid[], p_step_nos integer[])
  returns void
  language plpgsql
as $$
begin
  insert into tasker.timers (task_uuid, step_no, kind, due_at, namespace)
  select u.task_uuid, u.step_no, 'expand_map', tasker.clock(), tasker.namespace_of_task(u.task_uuid)
    from unnest(p_task_uuids, p_step_nos) as u (task_uuid, step_no)
  on conflict (task_uuid, step_no, kind) do nothing;
  -- A client that sleeps until work is due learns that work may be due sooner.
  perform tasker.notify_orchestrators();
end;
$$;

comment on function tasker.note_maps is
$$Writes the notes of maps that can start instances or end: timers that are due at once, fired like any other, usually by the claim of the same exchange. The caller holds the tasks' locks.$$;
