create or replace function tasker.calling_function()
  returns text
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_stack text;
begin
  get diagnostics v_stack = pg_context;
  return (
    select p.proname
      from string_to_table(v_stack, chr(10)) with ordinality as s (line, no)
      join pg_proc as p
        on p.pronamespace = 'tasker'::regnamespace
       and p.prosecdef
       and p.proname in (
         substring(s.line from '^PL/pgSQL[^"(]*[^a-z_0-9]tasker\.([a-z_0-9]+)\('), substring(s.line from '^SQL[^"(]*"([a-z_0-9]+)"')
       )
     order by s.no
     limit 1
  );
end;
$$;

comment on function tasker.calling_function is
$$Returns the name of the innermost public function that is running; null if there is none. Its callers may name themselves, so it does not look further.$$;
