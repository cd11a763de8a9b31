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
$$Returns the fields "sql" and "handler" of a valid step that names a SQL function, or an empty object if a worker runs the step.$$;
