create or replace function tasklib.get_setting(p_name text)
  returns text
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  return tasklib.setting(p_name);
end;
$$;

comment on function tasklib.get_setting is
$$Returns the value of a setting, as text. Raises TK404 if there is no setting of that name.$$;

grant execute on function tasklib.get_setting
  to tasklib_submitter, tasklib_worker, tasklib_operator, tasklib_reader;
