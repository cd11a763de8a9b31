-- The function does not pin search_path and uses "begin atomic" instead, so that it reads the settings of the
-- caller's session.
create or replace function tasker.session_settings()
  returns text[]
  language sql
begin atomic
  select array(
    select n.name || '=' || coalesce(current_setting(n.name, true), '')
      from unnest(tasker.setting_names()) as n (name)
  );
end;

comment on function tasker.session_settings is
$$Returns the settings of the session that tasker.restore_settings restores, each as name=value.$$;
