create or replace function tasker.map_array(p_map tasker.workflow_steps, p_limit integer)
  returns tasker.map_arrays
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_array  tasker.map_arrays;
  v_path   text    := p_map.for_each ->> 'path';
  v_from   integer := p_map.expansion ->> 'expanded';
  v_source tasker.workflow_steps;
  v_value  jsonb;
begin
  v_array.problem := 'for_each: ' || tasker.regex_error(v_path);
  if v_array.problem is not null then
    return v_array;
  end if;
  if p_map.for_each ? 'step' then
    select p.*
      into v_source
      from tasker.workflow_steps as p
     where p.task_uuid = p_map.task_uuid
       and p.step_no = (p_map.expansion ->> 'source')::integer;
    v_value := v_source.results;
  else
    v_value := (select t.context from tasker.tasks as t where t.task_uuid = p_map.task_uuid);
  end if;

  if v_value is null and v_source.expansion is not null and v_path = '$' and p_map.expansion ? 'elements' then
    return tasker.next_map_results(p_map, p_limit);
  elsif v_value is null and v_source.expansion is not null then
    v_value := tasker.map_results(p_map.task_uuid, v_source.step_no, tasker.setting_integer('result_bytes'));
  end if;

  if p_map.expansion ? 'elements' then
    v_array.size := p_map.expansion ->> 'elements';
  else
    v_array.problem := tasker.map_array_problem(p_map, v_source, v_value);
    if v_array.problem is not null then
      return v_array;
    end if;
    v_array.size := jsonb_path_query_first(v_value, format('(%s).size()', v_path)::jsonpath, '{}', true);
  end if;
  v_array.elements := case
    when p_limit > 0 and v_from < v_array.size then jsonb_path_query_array(
      v_value, format('(%s)[%s to %s]', v_path, v_from, least(v_from + p_limit, v_array.size) - 1)::jsonpath, '{}', true
    )
    else '[]'
  end;
  return v_array;
end;
$$;

comment on function tasker.map_array is
$$Returns the size of a map's array and its next elements that have no instance yet, at most p_limit, or the reason why there is no array. The array is in the task's context or in a parent's result. The array is checked only once, when the map begins.$$;
