create or replace function tasker.blank_path(p_value jsonb, p_path text[])
  returns jsonb
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_kind text   := jsonb_typeof(p_value);
  v_step text   := p_path[1];
  v_rest text[] := p_path[2 :];
begin
  if v_step is null then
    return 'null';
  end if;
  if v_step = '**' then
    p_value := tasker.blank_path(p_value, v_rest);
    v_kind := jsonb_typeof(p_value);
    v_rest := p_path;
  elsif v_kind = 'object' and v_step like 'k:%' then
    return case
      when p_value ? substr(v_step, 3)
      then jsonb_set(p_value, array[substr(v_step, 3)], tasker.blank_path(p_value -> substr(v_step, 3), v_rest))
      else p_value
    end;
  elsif v_kind = 'array' and v_step like 'i:%' then
    return case
      when substr(v_step, 3)::numeric < jsonb_array_length(p_value)
      then jsonb_set(p_value, array[substr(v_step, 3)], tasker.blank_path(p_value -> substr(v_step, 3)::integer, v_rest))
      else p_value
    end;
  elsif v_kind = 'array' and v_step <> '[]' then
    v_rest := p_path; -- as in lax mode, if the path does not name an element of an array, it means all elements
  elsif v_kind = 'object' and v_step in ('[]', 'i:0') then
    return tasker.blank_path(p_value, v_rest);
  elsif not (v_kind = 'array' and v_step = '[]' or v_kind = 'object' and v_step = '*') then
    return p_value;
  end if;

  if v_kind = 'array' then
    return (
      select coalesce(jsonb_agg(tasker.blank_path(e.value, v_rest) order by e.no), '[]')
        from jsonb_array_elements(p_value) with ordinality as e (value, no)
    );
  elsif v_kind = 'object' then
    return (
      select coalesce(jsonb_object_agg(e.key, tasker.blank_path(e.value, v_rest)), '{}')
        from jsonb_each(p_value) as e (key, value)
    );
  end if;
  return p_value;
end;
$$;

comment on function tasker.blank_path is
$$Returns a value with null in the places that a path finds. p_path has the steps of one path, as tasker.blank_steps
returns them. The cost is linear in the size of the value.$$;
