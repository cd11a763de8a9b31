create or replace function tasker.forget_attributes(p_task_uuid uuid)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  delete from tasker.task_attributes as a where a.task_uuid = p_task_uuid;
end;
$$;

comment on function tasker.forget_attributes is
$$Deletes all attributes of a task. The caller holds the task's lock.$$;
