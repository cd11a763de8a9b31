create or replace function tasker.normalize_map(p_step jsonb)
  returns jsonb
  language sql
  immutable
  parallel safe
begin atomic
  select case when jsonb_typeof(p_step -> 'for_each') in ('string', 'object') then jsonb_strip_nulls(jsonb_build_object(
    'for_each', jsonb_build_object(
      'step', p_step #> '{for_each,step}',
      'path', coalesce(
        case when jsonb_typeof(p_step -> 'for_each') = 'string' then p_step ->> 'for_each' end,
        p_step #>> '{for_each,path}',
        '$'
      )::jsonpath::text
    ),
    'max_parallel', (p_step ->> 'max_parallel')::numeric::integer,
    'allow_failures', (p_step ->> 'allow_failures')::numeric::integer
  )) else '{}' end;
end;

comment on function tasker.normalize_map is
$$Returns the fields for_each, max_parallel and allow_failures of a valid step in normal form, or an empty object if the step is not a map.$$;
