create or replace function tasker.set_role()
  returns text
  language sql
  stable
begin atomic
  select nullif(nullif(current_setting('role'), 'none'), session_user);
end;

comment on function tasker.set_role is
$$The role that the caller has set, null if it acts as the one that is logged in: what logs keep beside session_user.$$;
