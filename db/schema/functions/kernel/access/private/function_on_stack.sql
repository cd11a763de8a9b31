create or replace function tasker.function_on_stack(p_stack text)
  returns text
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_head text := left(p_stack, strpos(p_stack, 'tasker.calling_function(') - 1); -- of a line that names a function
begin
  return (
    select case n.nspname when 'tasker' then p.proname else n.nspname || '.' || p.proname end
      from string_to_table(p_stack, chr(10)) with ordinality as s (line, no)
     cross join lateral (
       select case
         when starts_with(s.line, v_head) then regexp_match(substr(s.line, length(v_head) + 1), '^(tasker|tasklib)\.([a-z_0-9]+)\(')
         -- A function in SQL, with the quotation marks of the language.
         else array['tasker', substring(s.line from '^[^"«„“「(]*SQL[^"«„“「(]*["«„“「][^a-z_0-9]?([a-z_0-9]+)[^a-z_0-9(]')]
       end as name
     ) as c
      join pg_namespace as n
        on n.nspname = c.name[1]
      join pg_proc as p
        on p.pronamespace = n.oid
       and p.proname = c.name[2]
       and p.prosecdef
     order by s.no
     limit 1
  );
end;
$$;

comment on function tasker.function_on_stack is
$$Returns the innermost public function of a call stack of tasker.calling_function, null if there is none. The stack has the language of the server's messages (lc_messages). Its first line shows how a line names a function in that language.$$;
