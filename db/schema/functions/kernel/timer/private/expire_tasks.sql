create or replace function tasker.expire_tasks(p_task_uuids uuid[])
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  -- Fail the tasks in the order of their UUIDs, because each call also locks the task's steps.
  perform tasker.move_task(t, 'Timeout', 'error', null, '{"reason": "its deadline has passed"}', null)
     from (
       select u.task_uuid
         from unnest(p_task_uuids) as u (task_uuid)
        order by u.task_uuid
     ) as u
    cross join lateral (
      select t.*
        from tasker.tasks as t
       where t.task_uuid = u.task_uuid
         and not t.complete
      offset 0
    ) as t;
end;
$$;

comment on function tasker.expire_tasks is
$$Fails the open tasks among the given tasks, because their deadline has passed. The caller holds the locks of the tasks.$$;
