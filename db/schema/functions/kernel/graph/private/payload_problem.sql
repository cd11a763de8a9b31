create or replace function tasker.payload_problem(p_schema jsonb, p_value jsonb, p_path text)
  returns text
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_type    text := jsonb_typeof(p_value);
  v_problem text;
  v_key     text;
  v_no      integer := 0;
  v_item    jsonb;
begin
  -- Lengths and bounds restrict only values of their own type, as in JSON Schema.
  v_problem := case
    -- The operator ? finds a key of an object as well as a text in a list.
    when p_schema ? 'type' and not (
      p_schema -> 'type' ? v_type
      or v_type = 'number' and p_schema -> 'type' ? 'integer' and p_value::numeric = trunc(p_value::numeric)
    ) then format('must be of type %s, not %s', (
      select string_agg(t.value #>> '{}', ' or ' order by t.no)
        from jsonb_path_query(p_schema -> 'type', '$[*]') with ordinality as t (value, no)
    ), v_type)
    when p_schema ? 'enum' and not exists (
      select from jsonb_array_elements(p_schema -> 'enum') as e (value) where e.value = p_value
    ) then format('must be one of %s', left(p_schema ->> 'enum', 200))
    when v_type = 'number' and p_schema ? 'minimum' and p_value::numeric < (p_schema ->> 'minimum')::numeric
      then format('must not be below %s', p_schema ->> 'minimum')
    when v_type = 'number' and p_schema ? 'maximum' and p_value::numeric > (p_schema ->> 'maximum')::numeric
      then format('must not be above %s', p_schema ->> 'maximum')
    when v_type = 'string' and p_schema ? 'maxLength' and length(p_value #>> '{}') > (p_schema ->> 'maxLength')::numeric
      then format('must not be longer than %s characters', p_schema ->> 'maxLength')
  end;
  if v_problem is not null then
    return p_path || ' ' || v_problem;
  end if;

  if v_type = 'object' then
    for v_key in select r.value from jsonb_array_elements_text(p_schema -> 'required') as r (value) loop
      if not p_value ? v_key then
        return format('%s.%s is missing', p_path, v_key);
      end if;
    end loop;
    for v_key, v_item in select f.key, f.value from jsonb_each(p_schema -> 'properties') as f loop
      if p_value ? v_key then
        v_problem := tasker.payload_problem(v_item, p_value -> v_key, p_path || '.' || v_key);
        if v_problem is not null then
          return v_problem;
        end if;
      end if;
    end loop;
  elsif v_type = 'array' and p_schema ? 'items' then
    for v_item in select e.value from jsonb_array_elements(p_value) as e (value) loop
      v_problem := tasker.payload_problem(p_schema -> 'items', v_item, format('%s[%s]', p_path, v_no));
      if v_problem is not null then
        return v_problem;
      end if;
      v_no := v_no + 1;
    end loop;
  end if;
  return null;
end;
$$;

comment on function tasker.payload_problem is
$$Returns the path of the first part of a payload or of a task's input that the schema does not allow, followed by the reason. Returns null if the schema allows all parts or is null.$$;
