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
  -- A line of the stack that names a function has no quotation mark before the name. The text of a statement begins with a
  -- quotation mark.
  return v_stack ~ ('(^|\n)[^"(\n]*[^a-z_0-9"]tasker\.' || p_function);
end;
$$;

comment on function tasker.is_running is
$$Returns whether a function of tasker, given by a regular expression of its signature, called the caller directly or not.$$;
