create or replace function tasklib.parse_state(
  p_state text
)
  returns tasklib.task_state
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if p_state in ('pending', 'running', 'completed', 'failed', 'cancelled') is not true then
    raise exception using
      errcode = 'TK422',
      message = format('"%s" is not a state of a task', left(p_state, 100)),
      hint    = 'The states are pending, running, completed, failed and cancelled.';
  end if;
  return p_state;
end;
$$;

comment on function tasklib.parse_state is
$$Converts a text to the state of a task. Raises TK422 if the text is not a state.$$;
