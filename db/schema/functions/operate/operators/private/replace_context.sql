create or replace function tasker.replace_context(p_task_uuid uuid, p_context jsonb)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  update tasker.tasks as t
     set context = p_context
   where t.task_uuid = p_task_uuid;
  perform tasker.context_replaced(p_task_uuid);
end;
$$;

comment on function tasker.replace_context is
$$Writes the new context of a task. The guard of the table allows only this function and an erasure to change a context.
The caller holds the task's lock and has checked the context.$$;
