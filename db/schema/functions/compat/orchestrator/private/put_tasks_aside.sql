create or replace function tasker.put_tasks_aside(p_task_uuids uuid[], p_until timestamptz)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  update tasker.tasks as t
     set discovered_until = p_until
    from unnest(p_task_uuids) as u (task_uuid)
   where t.task_uuid = any (array[u.task_uuid]);

  update tasker.waiting_tasks as w
     set discovered_until = p_until
    from unnest(p_task_uuids) as u (task_uuid)
   where w.task_uuid = u.task_uuid;
end;
$$;

comment on function tasker.put_tasks_aside is
$$Hides tasks from discovery until then. The caller holds their locks and those of their rows in waiting_tasks.$$;
