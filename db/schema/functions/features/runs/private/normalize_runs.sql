create or replace function tasker.normalize_runs(p_runs jsonb)
  returns jsonb
  language sql
  immutable
  parallel safe
begin atomic
  select case when jsonb_typeof(p_runs) = 'object' then jsonb_strip_nulls(jsonb_build_object(
    'key', (p_runs ->> 'key')::jsonpath::text,
    'max', coalesce((p_runs ->> 'max')::numeric::integer, 1),
    'order', coalesce(p_runs ->> 'order', 'created'),
    'further', coalesce(p_runs ->> 'further', 'wait'),
    'sequence', coalesce((p_runs ->> 'sequence')::boolean, false)
  )) end;
end;

comment on function tasker.normalize_runs is
$$Returns the field "runs" of a valid template in normal form, with its defaults, or null if the template does not have this field.$$;
