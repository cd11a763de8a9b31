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
$$The key of the events that a wait is for: what its template says, or what a path that begins with $ leads to in the context; empty for none. Null if the path leads to no text, number or boolean of at most 500 characters.$$;
