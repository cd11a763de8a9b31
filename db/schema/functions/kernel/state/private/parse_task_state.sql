create or replace function tasker.parse_task_state(p_state text)
  returns tasker.task_state
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  -- Compare instead of catching a failed cast, because an exception block costs a subtransaction in each
  -- call.
  if p_state is null or not p_state = any (enum_range(null::tasker.task_state)::text[]) then
    raise exception using
      errcode = 'TK422',
      message = case
        when p_state is null then 'the state of a task is null'
        else format('"%s" is not a state of a task', left(p_state, 100))
      end,
      hint    = format('It must be one of %s.', array_to_string(enum_range(null::tasker.task_state), ', '));
  end if;
  return p_state::tasker.task_state;
end;
$$;

comment on function tasker.parse_task_state is
$$Converts a text to a state of a task. Raises TK422 for null and for any other text.$$;
