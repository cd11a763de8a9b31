create or replace function tasker.run_spec(p_wait jsonb)
  returns jsonb
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_bytes   integer := tasker.setting_integer('result_bytes');
  v_problem text;
begin
  v_problem := case
    when jsonb_typeof(p_wait -> 'tasks') <> 'array' or jsonb_array_length(p_wait -> 'tasks') not between 1 and 1000
      then 'tasks must be a list of 1 to 1000 tasks'
    when p_wait - '{tasks,timeout}'::text[] <> '{}' then 'only a timeout may stand beside tasks'
    when p_wait ->> 'timeout' is not null and tasker.wait_seconds(p_wait -> 'timeout') is null
      then format('timeout is not a duration: %s', left(p_wait ->> 'timeout', 100))
    when octet_length(p_wait::text) > v_bytes then format('it has more than %s bytes, the setting "result_bytes"', v_bytes)
  end;
  if v_problem is null then
    select format('tasks[%s]: %s', t.no - 1, p.problem)
      into v_problem
      from jsonb_array_elements(p_wait -> 'tasks') with ordinality as t (value, no)
     cross join lateral (
       select case
         when jsonb_typeof(t.value) <> 'object' then 'must be an object'
         when t.value - '{namespace,name,version,context}'::text[] <> '{}' then 'its fields are namespace, name, version and context'
         when coalesce(t.value ->> 'name', '') = '' then 'name is missing'
         when coalesce(jsonb_typeof(t.value -> 'context'), 'object') <> 'object' then 'context must be an object'
       end as problem
     ) as p
     where p.problem is not null
     order by t.no
     limit 1;
  end if;
  if v_problem is not null then
    raise exception using
      errcode = 'TK422',
      message = 'the wait of a function is malformed: ' || v_problem,
      hint    = 'For example {"tasks": [{"name": "parcel", "context": {"order": 17}}], "timeout": "3d"}.';
  end if;
  return jsonb_strip_nulls(jsonb_build_object('any', '[]'::jsonb, 'timeout', tasker.wait_seconds(p_wait -> 'timeout')))
    || jsonb_build_object('tasks', (
      select jsonb_agg(
          jsonb_strip_nulls(t.value - 'context') || jsonb_build_object('input', coalesce(t.value -> 'context', '{}')) order by t.no
        )
        from jsonb_array_elements(p_wait -> 'tasks') with ordinality as t (value, no)
    ));
end;
$$;

comment on function tasker.run_spec is
$$Returns the tasks that a durable function starts and waits for, in the form in which a step's row stores them. Raises TK422 if the tasks are malformed.$$;
