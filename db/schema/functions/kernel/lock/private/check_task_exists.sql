create or replace function tasker.check_task_exists(p_task_uuid uuid)
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if not exists (select from tasker.tasks as t where t.task_uuid = p_task_uuid) then
    perform tasker.raise_task_not_found(p_task_uuid);
  end if;
end;
$$;

comment on function tasker.check_task_exists is
$$Raises TK404 if there is no such task.$$;
