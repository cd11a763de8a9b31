create or replace function tasker.schema_problem(p_schema jsonb, p_path text, p_depth integer default 1)
  returns text
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_problem text;
  v_key     text;
  v_value   jsonb;
begin
  if jsonb_typeof(p_schema) <> 'object' then
    return p_path || ' must be an object';
  elsif p_depth > 16 then
    return p_path || ' is nested deeper than 16 levels';
  end if;

  for v_key, v_value in select f.key, f.value from jsonb_each(p_schema) as f loop
    v_problem := case
      when v_key in ('title', 'description', 'default', 'format', 'examples') then null -- notes
      when v_key not in ('type', 'properties', 'required', 'enum', 'minimum', 'maximum', 'maxLength', 'items')
        then 'is not supported; the keywords are type, properties, required, enum, minimum, maximum, maxLength and items, and title, description, default, format and examples as notes'
      when v_key = 'type' and (v_value = '[]' or not v_value <@ '["object", "array", "string", "number", "integer", "boolean", "null"]')
        then 'must be object, array, string, number, integer, boolean or null, or a list of these'
      when v_key = 'properties' and jsonb_typeof(v_value) <> 'object' then 'must be an object'
      when v_key = 'enum' and coalesce(case when jsonb_typeof(v_value) = 'array' then jsonb_array_length(v_value) = 0 end, true)
        then 'must be an array with an element'
      when v_key = 'required' and (
        jsonb_typeof(v_value) <> 'array' or jsonb_path_exists(v_value, '$[*] ? (@.type() != "string")')
      ) then 'must be an array of names'
      when v_key in ('minimum', 'maximum') and jsonb_typeof(v_value) <> 'number' then 'must be a number'
      when v_key = 'maxLength' and not (v_value #>> '{}' ~ '^[0-9]{1,9}$' and jsonb_typeof(v_value) = 'number')
        then 'must be a whole number from 0'
    end;
    if v_problem is not null then
      return format('%s.%s %s', p_path, left(v_key, 100), v_problem);
    elsif v_key = 'items' then
      v_problem := tasker.schema_problem(v_value, p_path || '.items', p_depth + 1);
    elsif v_key = 'properties' then
      -- Each property is checked only once. A second check at each level would make the cost exponential in the depth.
      select p.problem
        into v_problem
        from jsonb_each(v_value) as f
       cross join lateral (
         select tasker.schema_problem(f.value, format('%s.properties.%s', p_path, left(f.key, 100)), p_depth + 1) as problem
         offset 0
       ) as p
       where p.problem is not null
       limit 1;
    end if;
    if v_problem is not null then
      return v_problem;
    end if;
  end loop;
  return null;
end;
$$;

comment on function tasker.schema_problem is
$$Returns the path of the problem, followed by the reason why an object cannot be the schema of a payload or of a task's input. Returns null if the object can be a schema. The enforced keywords are type, properties, required, enum, minimum, maximum, maxLength and items. The keywords title, description, default, format and examples are notes and refuse nothing. Any other keyword is refused, so that no schema promises more than is checked.$$;
