create or replace function tasker.setting_names()
  returns text[]
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_names text := current_setting('tasker.setting_names', true);
begin
  -- Reading pg_settings takes a millisecond, so read it only once in a session.
  if coalesce(v_names, '') = '' then
    select string_agg(s.name, ',' order by s.name)
      into v_names
      from pg_settings as s
     where s.context = 'user'
       and s.name not in ('role', 'session_authorization', 'seed', 'transaction_deferrable', 'transaction_isolation', 'transaction_read_only');
    perform set_config('tasker.setting_names', v_names, false);
  end if;
  return string_to_array(v_names, ',') || '{tasker.namespaces,tasker.token,tasker.signed_in_at,tasker.act,tasker.opened_limits,tasker.setting_names}'::text[];
end;
$$;

comment on function tasker.setting_names is
$$Returns the names of the settings that every session may change, and of pgtasker's own settings.$$;
