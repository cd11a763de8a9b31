create or replace function tasker.raise_task_not_found(p_task_uuid uuid)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception using
    errcode = 'TK404',
    message = format('task %s does not exist', coalesce(p_task_uuid::text, 'null')),
    hint    = 'Creating a task returns its UUID; retention may have dropped the task with its partition.';
end;
$$;

comment on function tasker.raise_task_not_found is
$$Raises TK404 for a task.$$;
