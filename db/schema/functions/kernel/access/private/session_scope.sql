create or replace function tasker.session_scope()
  returns text[]
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_scope text := current_setting('tasker.namespaces', true);
begin
  -- A setting that was local to an earlier transaction is empty from then on, and does not restrict this
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
$$Returns the namespaces that the setting tasker.namespaces keeps the session to. Null if the setting restricts nothing. Requests with a token have this setting.$$;
