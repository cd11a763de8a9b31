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
       -- Only calls of pgtasker read these names. Setting them again for each step would cost as much as the call of its
       -- function.
       and not starts_with(s.setting, 'tasker.setting_names=')
  );
end;

comment on function tasker.own_settings is
$$Returns the settings that a function of a step finds, among the settings that tasker.session_settings has returned. Such settings belong to pgtasker and have a value.$$;
