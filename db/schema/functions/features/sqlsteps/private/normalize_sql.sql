create or replace function tasker.normalize_sql(p_step jsonb)
  returns jsonb
  language sql
  immutable
  parallel safe
begin atomic
  select case
    when p_step ->> 'sql' is null then '{}'::jsonb
    else jsonb_build_object('sql', p_step -> 'sql', 'handler', 'sql:' || (p_step ->> 'sql'))
  end;
end;

comment on function tasker.normalize_sql is
$$Returns the function of a valid step and the handler that stands for it: nothing if a worker runs the step.$$;
