create or replace function tasker.task_path(
  p_task_uuid   uuid,
  p_from_state  tasker.task_state,
  p_event       text,
  p_to_state    tasker.task_state
)
  returns tasker.task_path
  language plpgsql
  stable
as $$
declare
  v_path tasker.task_path;
begin
  select u.path
    into v_path
    from tasker.task_log_paths as u
   where u.from_state = p_from_state
     and u.event = p_event
     and u.to_state = p_to_state
     and u.position = 1
     and u.after = 0;
  if v_path is not null then
    return v_path;
  end if;
  raise exception using
    errcode    = 'TK409',
    message    = format('task %s cannot go from %s to %s by event "%s"', p_task_uuid, p_from_state, p_to_state, p_event),
    hint       = 'tasker.list_task_transitions() shows every transition that is allowed.',
    schema     = 'tasker',
    table      = 'task_log',
    constraint = 'task_path_check';
end;
$$;

comment on function tasker.task_path is
$$Returns the number of the path that consists of this single transition of a task. Raises TK409 if tasker.task_log_paths has no such path: the log stores only the numbers of paths, so a transition without a number cannot be logged.$$;
