create or replace function tasker.restore_settings(p_settings text[])
  returns void
  language plpgsql
as $$
begin
  -- This also resets settings with names that the function made up, which no catalog lists.
  reset all;
  perform set_config(s.name, s.value, false)
     from (
       select split_part(u.setting, '=', 1) as name, substr(u.setting, strpos(u.setting, '=') + 1) as value
         from unnest(p_settings) as u (setting)
     ) as s
    where coalesce(current_setting(s.name, true), '') <> s.value;
end;
$$;

comment on function tasker.restore_settings is
$$Resets all settings of the session, then restores the settings that tasker.session_settings has returned. So every setting that a function made ends, even if it was made for the whole transaction.$$;
