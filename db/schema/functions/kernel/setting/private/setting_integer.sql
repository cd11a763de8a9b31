create or replace function tasker.setting_integer(p_name text)
  returns integer
  language sql
  stable
  parallel safe
begin atomic
  select tasker.setting(p_name)::integer;
end;

comment on function tasker.setting_integer is
$$Returns the value of a setting of kind integer. Raises TK404 if there is no setting of that name.$$;
