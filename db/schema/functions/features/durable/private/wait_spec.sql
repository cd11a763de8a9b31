create or replace function tasker.wait_spec(p_wait jsonb)
  returns jsonb
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_problem text;
begin
  -- Each check is made only if the checks before it found no problem.
  if jsonb_typeof(p_wait) is distinct from 'object' then
    v_problem := 'it is not an object';
  elsif octet_length(p_wait::text) > 65536 then
    v_problem := 'it has more than 65,536 bytes';
  else
    select format('field "%s" is unknown', left(f.key, 100))
      into v_problem
      from jsonb_object_keys(p_wait) as f (key)
     where f.key not in ('await', 'timeout', 'assignee')
     order by f.key
     limit 1;
    v_problem := coalesce(v_problem, case
      when coalesce(jsonb_typeof(p_wait -> 'await'), 'null') not in ('object', 'array') then 'await must be an object or a list'
      when jsonb_typeof(p_wait -> 'await') = 'array' and jsonb_array_length(p_wait -> 'await') not between 1 and 100
        then 'await must have 1 to 100 alternatives'
      when p_wait ->> 'timeout' is not null and tasker.wait_seconds(p_wait -> 'timeout') is null
        then format('timeout is not a duration: %s', left(p_wait ->> 'timeout', 100))
      when p_wait ->> 'assignee' is not null
           and (jsonb_typeof(p_wait -> 'assignee') <> 'string' or length(p_wait ->> 'assignee') not between 1 and 200)
        then 'assignee must be a text of 1 to 200 characters'
    end);
  end if;
  if v_problem is null then
    select coalesce(
        case when jsonb_typeof(a.value) <> 'object' then 'an alternative is not an object' end,
        (
          select format('field "%s" of an alternative is unknown', left(f.key, 100))
            from jsonb_object_keys(case when jsonb_typeof(a.value) = 'object' then a.value else '{}' end) as f (key)
           where f.key not in ('signal', 'event', 'key', 'look_back', 'for', 'until', 'when', 'schema')
           limit 1
        ),
        case
          when a.value ->> 'signal' !~ '^[a-zA-Z0-9][a-zA-Z0-9_.:-]{0,127}$'
            then format('"%s" is no name of a signal', left(a.value ->> 'signal', 100))
          when a.value ->> 'event' !~ '^[a-zA-Z0-9][a-zA-Z0-9_.:-]{0,127}$'
            then format('"%s" is no name of an event', left(a.value ->> 'event', 100))
          when a.value ->> 'key' is not null and (
            jsonb_typeof(a.value -> 'key') <> 'string' or length(a.value ->> 'key') not between 1 and 500
          ) then 'key must be a text of 1 to 500 characters'
          when a.value ->> 'key' like '$%' then 'key must be a text, not a path'
          when a.value ->> 'look_back' is not null and tasker.wait_seconds(a.value -> 'look_back') is null
            then format('look_back is not a duration: %s', left(a.value ->> 'look_back', 100))
          when a.value ->> 'for' is not null and tasker.wait_seconds(a.value -> 'for') is null
            then format('for is not a duration: %s', left(a.value ->> 'for', 100))
          when a.value ->> 'until' like '$%' then 'until must be a time such as 2026-12-24T18:00:00Z'
          when length(a.value ->> 'when') > 1000 then 'when has more than 1,000 characters'
        end
      )
      into v_problem
      from jsonb_array_elements(
        case jsonb_typeof(p_wait -> 'await') when 'array' then p_wait -> 'await' else jsonb_build_array(p_wait -> 'await') end
      ) as a (value)
     order by 1
     limit 1;
  end if;
  if v_problem is null then
    v_problem := tasker.wait_problem(p_wait);
  end if;
  if v_problem is not null then
    raise exception using
      errcode = 'TK422',
      message = 'the wait of a function is malformed: ' || v_problem,
      hint    = 'For example {"await": {"signal": "approved"}, "timeout": "3d"}, or {"await": [{"signal": "paid", "when": "$.amount >= 100"}, {"for": 3600}]}.';
  end if;
  return tasker.normal_wait(p_wait) - 'on_timeout';
end;
$$;

comment on function tasker.wait_spec is
$$Returns the wait of a durable function, in the form in which a step's row stores it. p_wait has the form of the fields await, timeout and assignee of a template's step. Raises TK422 if p_wait is malformed.$$;
