create or replace function tasker.put_tasks_aside(p_task_uuids uuid[], p_until timestamptz)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  update tasker.waiting_tasks as w
     set discovered_until = p_until
   where w.task_uuid = any (p_task_uuids);

  insert into tasker.timers (task_uuid, kind, due_at, namespace)
  select u.task_uuid, 'advance_task', p_until, tasker.namespace_of_task(u.task_uuid)
    from unnest(p_task_uuids) as u (task_uuid)
   where not exists (select from tasker.waiting_tasks as w where w.task_uuid = u.task_uuid)
  on conflict (task_uuid, step_no, kind) do update
    set due_at = excluded.due_at;
end;
$$;

comment on function tasker.put_tasks_aside is
$$Hides tasks from discovery until p_until. For a task whose start is deferred, sets discovered_until in its row of waiting_tasks. For any other task, sets its timer advance_task, which a claim fires at p_until. The caller holds the locks of the tasks and of their timers.$$;
