create or replace function tasker.note_runs(p_task_uuids uuid[], p_due_at timestamptz)
  returns void
  language plpgsql
as $$
begin
  insert into tasker.timers (task_uuid, kind, due_at, namespace)
  select r.task_uuid, 'serve_run', p_due_at, r.namespace
    from tasker.runs as r
   where r.task_uuid = any (p_task_uuids)
  on conflict (task_uuid, step_no, kind) do update
     set due_at = excluded.due_at;
  perform tasker.notify_orchestrators();
end;
$$;

comment on function tasker.note_runs is
$$Writes notes that the keys of these tasks have to be served. tasker.fire_runs fires the notes, and starts the tasks that may run. The caller holds the tasks' locks, or has just inserted the tasks.$$;
