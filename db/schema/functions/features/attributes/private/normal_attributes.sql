create or replace function tasker.normal_attributes(p_attributes jsonb)
  returns jsonb
  language sql
  immutable
  parallel safe
begin atomic
  select coalesce(jsonb_object_agg(a.key, jsonb_strip_nulls(jsonb_build_object(
      'type', coalesce(a.value ->> 'type', 'text'),
      'context', (case when jsonb_typeof(a.value) = 'string' then a.value #>> '{}' else a.value ->> 'context' end)::jsonpath::text,
      'results', (
        select jsonb_object_agg(r.key, r.value::jsonpath::text)
          from jsonb_each_text(nullif(a.value -> 'results', 'null')) as r
      )
    ))), '{}')
    from jsonb_each(p_attributes) as a;
end;

comment on function tasker.normal_attributes is
$$Returns the field "attributes" of a valid template in normal form: each attribute is an object with its type, its path in the context, and its paths in results by step.$$;
