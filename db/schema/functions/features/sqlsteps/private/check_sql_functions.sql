create or replace function tasker.check_sql_functions(p_namespace text, p_steps jsonb)
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_name    text;
  v_call    text;
  v_problem text[];
begin
  for v_name, v_call in
    select s.value ->> 'name', c.call
      from jsonb_array_elements(p_steps) as s (value)
     cross join lateral (
       values (s.value ->> 'sql'), (tasker.sql_function_of(s.value ->> 'compensate'))
     ) as c (call)
     where c.call is not null
  loop
    v_problem := tasker.sql_function_problem(p_namespace, v_call, tasker.caller_name()::name);
    if v_problem[1] = 'TK403' then
      raise exception using
        errcode = 'TK403',
        message = format('step "%s": %s', v_name, v_problem[2]),
        hint    = v_problem[3];
    elsif v_problem is not null then
      raise exception using
        errcode = 'TK422',
        message = format('step "%s": %s', v_name, v_problem[2]),
        hint    = v_problem[3];
    end if;
  end loop;
end;
$$;

comment on function tasker.check_sql_functions is
$$Checks the functions that these steps in normal form name. Raises TK422 if the namespace has no bound role, a function does not exist, or it does not return jsonb. Raises TK403 if the bound role or the caller may not execute a function.$$;
