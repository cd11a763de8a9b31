create or replace function tasker.setting_numeric(p_name text)
  returns numeric
  language sql
  stable
  parallel safe
begin atomic
  select tasker.setting(p_name)::numeric;
end;

comment on function tasker.setting_numeric is
$$Returns the value of a setting of kind numeric. Raises TK404 if there is no setting of that name.$$;
