create or replace function tasker.normalize_triggers(p_triggers jsonb)
  returns jsonb
  language sql
  immutable
  parallel safe
begin atomic
  -- The context belongs to the user, so it is added after nulls are stripped.
  select jsonb_agg(
      jsonb_strip_nulls(jsonb_build_object(
        'event', t.value -> 'event',
        'key', t.value -> 'key',
        'when', (t.value ->> 'when')::jsonpath::text,
        'identity', t.value -> 'identity'
      )) || case when jsonb_typeof(t.value -> 'context') = 'object' then jsonb_build_object('context', t.value -> 'context') else '{}' end
      order by t.no
    )
    from jsonb_array_elements(
      case jsonb_typeof(p_triggers) when 'array' then p_triggers when 'object' then jsonb_build_array(p_triggers) end
    ) with ordinality as t (value, no);
end;

comment on function tasker.normalize_triggers is
$$Returns the field start_on or cancel_on of a valid template as a list in normal form, or null if the field is missing.$$;
