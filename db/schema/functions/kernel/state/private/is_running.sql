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
  return exists (
    select
      from string_to_table(v_stack, chr(10)) as s (line)
     where strpos(s.line, 'tasker.' || p_function) > 0
       and left(s.line, strpos(s.line, 'tasker.' || p_function) - 1) ~ '^[^"(]*[^a-z_0-9"]$'
  );
end;
$$;

comment on function tasker.is_running is
$$Returns whether a function of tasker, given by its name and the types of its arguments, is among the callers.$$;
