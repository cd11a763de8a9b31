create or replace function tasker.event_key(p_key text, p_context jsonb)
  returns text
  language plpgsql
  immutable
as $$
declare
  v_value jsonb;
begin
  if p_key is null or p_key not like '$%' then
    return coalesce(p_key, '');
  end if;
  v_value := jsonb_path_query_first(p_context, tasker.stored_path(p_key), '{}', true);
  if jsonb_typeof(v_value) in ('string', 'number', 'boolean') and length(v_value #>> '{}') <= 500 then
    return v_value #>> '{}';
  end if;
  return null;
end;
$$;

comment on function tasker.event_key is
$$Returns the key of the events that a wait is for. It is the key in the template or, if that is a path that begins with $, the value at this path in the context. The key is the empty text if the template has no key. Returns null if the path does not lead to a text, number or boolean of at most 500 characters.$$;
