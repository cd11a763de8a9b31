create or replace function tasker.set_role()
  returns text
  language sql
  stable
begin atomic
  select nullif(nullif(current_setting('role'), 'none'), session_user);
end;

comment on function tasker.set_role is
$$Returns the role that the caller has set. Returns null if the caller acts as its login role. Logs record this role and session_user.$$;
