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
    select case n.nspname when 'tasker' then p.proname else n.nspname || '.' || p.proname end
      from string_to_table(v_stack, chr(10)) with ordinality as s (line, no)
     cross join lateral (
       select coalesce(
         regexp_match(s.line, '^PL/pgSQL[^"(]*[^a-z_0-9](tasker|tasklib)\.([a-z_0-9]+)\('), array['tasker', substring(s.line from '^SQL[^"(]*"([a-z_0-9]+)"')]
       ) as name
     ) as c
      join pg_namespace as n
        on n.nspname = c.name[1]
      join pg_proc as p
        on p.pronamespace = n.oid
       and p.proname = c.name[2]
       and p.prosecdef
     -- The patterns are dear, and a stack has many lines of statements.
     where starts_with(s.line, 'PL/pgSQL') or starts_with(s.line, 'SQL') and not starts_with(s.line, 'SQL statement')
     order by s.no
     limit 1
  );
end;
$$;

comment on function tasker.calling_function is
$$Returns the name of the innermost public function that is running, with its schema unless that is tasker. Null if no such function is running. The callers of that function may have any name, so the search ends there.$$;
