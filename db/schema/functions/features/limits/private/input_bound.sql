create or replace function tasker.input_bound(p_limit_no integer, p_step text, p_path text, p_value jsonb, p_max integer)
  returns integer
  language plpgsql
  stable
as $$
begin
  if jsonb_typeof(p_value) = 'number' and p_value::numeric >= 1 and p_value::numeric = trunc(p_value::numeric) then
    return least(p_value::numeric, p_max);
  end if;
  raise exception using
    errcode = 'TK422',
    message = format(
      'the context gives limit "%s" a bound that is no whole number from 1', (select l.name from tasker.limits as l where l.limit_no = p_limit_no)
    ),
    detail  = format('step "%s", path %s, value %s', p_step, left(p_path, 100), left(p_value::text, 100)),
    hint    = 'Create the task with a number there, or without a value: then the key keeps its bound.';
end;
$$;

comment on function tasker.input_bound is
$$Returns the bound that a value of a task's context gives a key, at most p_max. Raises TK422 for a value that is no whole number from 1.$$;
