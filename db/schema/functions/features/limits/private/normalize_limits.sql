create or replace function tasker.normalize_limits(p_step jsonb)
  returns jsonb
  language sql
  immutable
  parallel safe
begin atomic
  select case when p_step ?| '{limit_units,limit_hold,limit_bound,limits}' then jsonb_strip_nulls(jsonb_build_object(
    'limit_units', nullif((p_step ->> 'limit_units')::numeric::integer, 1),
    'limit_hold', nullif(p_step ->> 'limit_hold', 'claim'),
    'limit_bound', (p_step ->> 'limit_bound')::jsonpath::text,
    'limit_bound_max', (p_step ->> 'limit_bound_max')::numeric::integer,
    'limits', (
      select jsonb_agg(
          case when jsonb_typeof(e.value) = 'string' then jsonb_build_object('limit', e.value) else jsonb_build_object(
            'limit', e.value -> 'limit',
            'limit_key', (e.value ->> 'limit_key')::jsonpath::text,
            'limit_units', nullif((e.value ->> 'limit_units')::numeric::integer, 1),
            'limit_bound', (e.value ->> 'limit_bound')::jsonpath::text,
            'limit_bound_max', (e.value ->> 'limit_bound_max')::numeric::integer
          ) end
          order by e.no
        )
        from jsonb_array_elements(case when jsonb_typeof(p_step -> 'limits') = 'array' then p_step -> 'limits' end) with ordinality as e (value, no)
    )
  )) else '{}' end;
end;

comment on function tasker.normalize_limits is
$$Returns the fields limit_units, limit_hold, limit_bound, limit_bound_max and limits of a valid step in normal form, or an empty object if the step has none of these fields.$$;
