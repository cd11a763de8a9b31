create or replace function tasker.lock_open_task(p_task_uuid uuid)
  returns void
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
  if tasker.is_undone(v_task.undo) then
    raise exception using
      errcode = 'TK409',
      message = format('task %s is being undone', p_task_uuid),
      hint    = 'Its graph cannot be changed any more.';
  end if;
  if v_task.complete then
    raise exception using
      errcode = 'TK409',
      message = format('task %s has ended: it is %s', p_task_uuid, v_task.state),
      hint    = 'A failed task can be reset; one that is complete, cancelled or resolved cannot be changed.';
  end if;
end;
$$;

comment on function tasker.lock_open_task is
$$Locks a task for a change of its graph. Raises TK404 if it does not exist, TK409 if it has ended or is being undone.$$;
