create or replace function tasker.lock_task(p_task_uuid uuid)
  returns tasker.tasks
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_task tasker.tasks;
begin
  select t.*
    into v_task
    from tasker.tasks as t
   where t.task_uuid = p_task_uuid
     for no key update;
  if not found then
    perform tasker.raise_task_not_found(p_task_uuid);
  end if;
  return v_task;
end;
$$;

comment on function tasker.lock_task is
$$Locks a task and returns it. Raises TK404 if it does not exist.$$;
