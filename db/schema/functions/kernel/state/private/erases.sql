create or replace function tasker.erases()
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
     where strpos(s.line, 'tasker.erase_rows(uuid)') > 0
       and s.line ~ '^[^"(]*[^a-z_0-9"]tasker\.erase_rows\(uuid\)'
  );
end;
$$;

comment on function tasker.erases is
$$Returns whether tasker.erase_rows is running. The guards of the history let only that function change the history.$$;
