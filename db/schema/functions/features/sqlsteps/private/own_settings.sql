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
  );
end;

comment on function tasker.own_settings is
$$Returns those of the settings that tasker.session_settings has returned which belong to pgtasker and have a value.$$;
