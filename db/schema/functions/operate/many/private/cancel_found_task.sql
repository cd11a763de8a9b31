create or replace function tasker.cancel_found_task(p_task_uuid uuid, p_locked boolean, p_reason text, p_actor text)
  returns text
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  if not p_locked then
    return 'locked';
  elsif not tasker.operate_on_task(p_task_uuid, 'Cancel', p_reason, p_actor) then
    return 'ended';
  end if;
  return (
    select case when t.complete then 'cancelled' else 'undoing' end
      from tasker.tasks as t
     where t.task_uuid = p_task_uuid
  );
end;
$$;

comment on function tasker.cancel_found_task is
$$Cancels a task that tasker.cancel_tasks has found, if the caller holds the task's lock (p_locked), and returns the
outcome.$$;
