create or replace function tasker.step_path(
  p_task_uuid   uuid,
  p_step_no     integer,
  p_from_state  tasker.step_state,
  p_via_state   tasker.step_state,
  p_event       text,
  p_to_state    tasker.step_state
)
  returns tasker.step_path
  language plpgsql
  stable
as $$
declare
  v_path tasker.step_path;
begin
  -- The most frequent paths are found without a query.
  if p_from_state = 'pending' and p_to_state = 'enqueued' and p_event = 'Enqueue' and p_via_state is null then
    return 1;
  elsif p_from_state = 'enqueued' and p_to_state = 'in_progress' and p_event = 'Start' and p_via_state is null then
    return 3;
  end if;
  select u.path
    into v_path
    from tasker.step_log_paths as u
   where u.from_state = coalesce(p_via_state, p_from_state)
     and u.event = p_event
     and u.to_state = p_to_state
     and u.start_state = p_from_state
     and u.after = 0;
  if v_path is not null then
    return v_path;
  end if;
  raise exception using
    errcode    = 'TK409',
    message    = format(
      'step %s cannot go from %s to %s by event "%s"',
      tasker.step_uuid(p_task_uuid, p_step_no), coalesce(p_via_state, p_from_state), p_to_state, p_event
    ),
    hint       = 'tasker.list_step_transitions() shows every transition that is allowed.',
    schema     = 'tasker',
    table      = 'step_log',
    constraint = 'step_path_check';
end;
$$;

comment on function tasker.step_path is
$$Returns the number of the path of a move of a step. If p_via_state is not null, the path passes through that state. Raises TK409 if tasker.step_log_paths has no such path: the log stores only the numbers of paths, so a move without a number cannot be logged.$$;
