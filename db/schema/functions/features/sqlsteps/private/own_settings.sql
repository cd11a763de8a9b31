create or replace function tasker.own_settings(p_session text[])
  returns text[]
  language sql
  immutable
begin atomic
  select array(
    select s.setting
      from unnest(p_session) as s (setting)
     where starts_with(s.setting, 'tasker.')
       and s.setting not like '%='
       -- Only pgtasker itself reads this setting. To set it again for each step would take as long as the call of the
       -- step's function.
       and not starts_with(s.setting, 'tasker.setting_names=')
  );
end;

comment on function tasker.own_settings is
$$Returns the settings from tasker.session_settings that the functions of steps may see: the settings of pgtasker that have a value.$$;
