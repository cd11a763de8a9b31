create or replace function tasker.step_event(
  p_from_state  tasker.step_state,
  p_to_state    tasker.step_state,
  p_event       text
)
  returns text
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_event text;
begin
  select m.event
    into v_event
    from tasker.step_state_machine as m
   where m.from_state = p_from_state
     and m.to_state = p_to_state
     and m.event = coalesce(p_event, m.event)
   order by m.position
   limit 1;

  if not found then
    raise exception using
      errcode = 'TK409',
      message = format(
        'a step cannot go from %s to %s%s',
        p_from_state, p_to_state,
        case when p_event is not null then format(' by event "%s"', left(p_event, 100)) end
      ),
      detail  = coalesce(
        'Allowed transitions: ' || (
          select string_agg(format('%s by %s', m.to_state, m.event), ', ' order by m.to_state, m.position)
            from tasker.step_state_machine as m
           where m.from_state = p_from_state
        ) || '.',
        format('No transition leaves %s.', p_from_state)
      ),
      hint    = 'tasker.list_step_transitions() shows every transition that is allowed.';
  end if;
  return v_event;
end;
$$;

comment on function tasker.step_event is
$$Returns the event that moves a step from one state to another: the named event, or the usual event for null. Raises TK409 if there is no such event.$$;
