create or replace function tasker.renew_attributes(p_task_uuid uuid)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform tasker.forget_attributes(p_task_uuid);
  perform tasker.context_attributes(array[p_task_uuid]);
  perform tasker.taken_attributes(p_task_uuid);
end;
$$;

comment on function tasker.renew_attributes is
$$Writes all attributes of a task again, from its context and then from its results. The caller holds the task's lock.$$;
