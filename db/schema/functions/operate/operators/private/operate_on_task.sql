create or replace function tasker.operate_on_task(p_task_uuid uuid, p_event text, p_reason text, p_actor text)
  returns boolean
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_metadata jsonb := jsonb_strip_nulls(jsonb_build_object('reason', p_reason));
  v_task     tasker.tasks;
  v_to       tasker.task_state;
begin
  perform tasker.check_transition_metadata(v_metadata);
  v_task := tasker.lock_task(p_task_uuid);
  -- The task has ended, or is already being undone before it ends.
  if p_event = 'Cancel' and (v_task.complete or tasker.is_undone(v_task.undo)) then
    return false;
  end if;
  select m.to_state
    into v_to
    from tasker.task_state_machine as m
   where m.from_state = v_task.state
     and m.event = p_event;
  if found then
    perform tasker.move_task(v_task, p_event, v_to, null, v_metadata, tasker.actor_name(p_actor));
    return true;
  end if;

  if exists (
    select
      from tasker.task_state_machine as m
     where m.event = p_event
       and m.to_state = v_task.state
  ) then
    return false;
  end if;
  raise exception using
    errcode = 'TK409',
    message = format('task %s is %s: event %s does not apply', p_task_uuid, v_task.state, p_event),
    detail  = format('It applies to tasks that are %s.', (
      select string_agg(m.from_state::text, ', ' order by m.from_state)
        from tasker.task_state_machine as m
       where m.event = p_event
    )),
    hint    = 'tasker.list_task_transitions() shows the transitions of each state.';
end;
$$;

comment on function tasker.operate_on_task is
$$Applies an operator's event to a task. Returns true if the task moved, and false if it already is in the event's
target state. For the event "Cancel", also returns false if the task has ended in any way. Locks the task. Raises TK404
if there is no such task, TK409 if the event does not apply to its state, and TK413 if the reason is too large.$$;
