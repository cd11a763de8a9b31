create or replace function tasker.caller_name()
  returns text
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  -- Inside a security definer function current_user is its owner, and session_user does not know
  -- SET ROLE; only the setting does.
  return coalesce(nullif(current_setting('role'), 'none'), session_user);
end;
$$;

comment on function tasker.caller_name() is
$$The role that the caller acts as, also inside a security definer function: for the actor columns.$$;

revoke all on function tasker.caller_name() from public;
