create or replace function tasker.session_scope()
  returns text[]
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_scope text := current_setting('tasker.namespaces', true);
begin
  -- A setting that was local to an earlier transaction is an empty text afterwards, and does not restrict this
  -- transaction.
  if coalesce(v_scope, '') in ('', '*') then
    return null;
  elsif v_scope = '-' then
    return '{}';
  end if;
  return string_to_array(replace(v_scope, ' ', ''), ',');
end;
$$;

comment on function tasker.session_scope is
$$Returns the namespaces to which the setting tasker.namespaces restricts the session, or null if it restricts nothing. Requests with a token have this setting.$$;
