create or replace function tasker.is_running(p_function text)
  returns boolean
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_stack text;
begin
  get diagnostics v_stack = pg_context;
  -- In the language of the server's messages, a line that names another function begins as the line of this function
  -- does.
  return strpos(chr(10) || v_stack, chr(10) || left(v_stack, strpos(v_stack, 'tasker.is_running(') - 1) || 'tasker.' || p_function) > 0;
end;
$$;

comment on function tasker.is_running is
$$Returns whether a function of schema tasker is among the callers. The function is given by its name and the types of its arguments.$$;
