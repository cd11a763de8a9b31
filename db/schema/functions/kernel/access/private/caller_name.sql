create or replace function tasker.caller_name()
  returns text
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  -- In a security definer function current_user is the owner of the function, and session_user ignores SET ROLE. Only
  -- the setting "role" shows the effect of SET ROLE.
  return coalesce(nullif(current_setting('role'), 'none'), session_user);
end;
$$;

comment on function tasker.caller_name is
$$Returns the role that the caller acts as, even in a security definer function. The actor columns use this role.$$;
