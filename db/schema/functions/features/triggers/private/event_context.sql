create or replace function tasker.event_context(p_mapping jsonb, p_payload jsonb)
  returns jsonb
  language sql
  immutable
  parallel safe
begin atomic
  select case
    when p_mapping is null then p_payload
    else (
      select coalesce(jsonb_object_agg(f.key, f.value) filter (where f.value is not null), '{}')
        from (
          select m.key, tasker.child_value(m.value, p_payload, null) as value
            from jsonb_each(p_mapping) as m
        ) as f
    )
  end;
end;

comment on function tasker.event_context is
$$Returns the context of a task that an event starts. Without a mapping it is the payload. Otherwise it is an object with a value for each field of the mapping; a field whose value is not found is left out.$$;
