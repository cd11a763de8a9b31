create or replace function tasker.clear_ended_tasks(p_task_uuids uuid[])
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  delete from tasker.timers as m where m.task_uuid = any (p_task_uuids) and m.kind not in ('child_ended', 'cancel_child');
  delete from tasker.waiting_tasks as w where w.task_uuid = any (p_task_uuids);
end;
$$;

comment on function tasker.clear_ended_tasks is
$$Deletes the timers of tasks that have ended, except notes to other tasks, and the rows of these tasks in waiting_tasks. The caller holds the tasks' locks.$$;
