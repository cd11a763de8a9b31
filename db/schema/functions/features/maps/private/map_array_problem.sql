create or replace function tasker.map_array_problem(
  p_map     tasker.workflow_steps,
  p_source  tasker.workflow_steps,
  p_value   jsonb
)
  returns text
  language plpgsql
  stable
as $$
declare
  v_path  text := p_map.for_each ->> 'path';
  v_types jsonb;
begin
  if p_value is null and p_source.expansion is not null then
    return format(
      'the results of map "%s" are larger than %s bytes', p_source.name, tasker.setting_integer('result_bytes')
    );
  elsif p_value is null then
    return format('step "%s" has no result', p_map.for_each ->> 'step');
  end if;

  v_types := jsonb_path_query_array(p_value, format('(%s).type()', v_path)::jsonpath, '{}', true);
  return case
    when jsonb_array_length(v_types) <> 1 then
      format('for_each: %s leads to %s values, not to one array', v_path, jsonb_array_length(v_types))
    when v_types ->> 0 <> 'array' then
      format('for_each: %s is a JSON %s, not an array', v_path, v_types ->> 0)
  end;
end;
$$;

comment on function tasker.map_array_problem is
$$Returns the reason why a map has no array to run over, or null if the map has an array. The reasons are: the map's source has no result, the source is a map whose results are too large, or the path does not lead to exactly one array in p_value.$$;
