create or replace function tasker.setting_boolean(p_name text)
  returns boolean
  language sql
  stable
  parallel safe
begin atomic
  select tasker.setting(p_name)::boolean;
end;

comment on function tasker.setting_boolean is
$$Returns the value of a setting of kind boolean. Raises TK404 if there is no setting of that name.$$;
