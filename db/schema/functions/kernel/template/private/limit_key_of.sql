create or replace function tasker.limit_key_of(p_path jsonpath, p_context jsonb, p_inputs jsonb)
  returns text
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_key text := coalesce(
    case when tasker.regex_error(p_path::text) is null
      then jsonb_path_query_first(p_context, p_path, jsonb_build_object('inputs', p_inputs), true) #>> '{}'
    end, ''
  );
begin
  if length(v_key) <= 200 then
    return v_key;
  end if;
  return left(v_key, 100) || '#' || encode(sha256(convert_to(v_key, 'UTF8')), 'hex');
end;
$$;

comment on function tasker.limit_key_of is
$$Returns the key that a step has in its limit: the first value at the path in the task's context, as text. The key is the empty text if there is no value or no path, or if the path has a regular expression that is too costly. A text of more than 200 characters is cut, and gets a hash that distinguishes it.$$;
