create or replace function tasker.note_child_end(p_task_uuids uuid[])
  returns void
  language plpgsql
as $$
begin
  insert into tasker.timers (task_uuid, kind, due_at, namespace)
  select u.task_uuid, 'child_ended', tasker.clock(), tasker.namespace_of_task(u.task_uuid)
    from unnest(p_task_uuids) as u (task_uuid)
  on conflict (task_uuid, step_no, kind) do update
     set due_at = excluded.due_at;
  perform tasker.notify_orchestrators();
end;
$$;

comment on function tasker.note_child_end is
$$Writes notes that these tasks, which steps of other tasks wait for, have ended. tasker.fire_notes later moves the steps. The caller holds the tasks' locks.$$;
