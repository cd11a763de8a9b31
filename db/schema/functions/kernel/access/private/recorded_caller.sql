create or replace function tasker.recorded_caller()
  returns text
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return tasker.actor_name(null) || case when tasker.set_role() is null then '' else format(' (logged in: %s)', session_user) end;
end;
$$;

comment on function tasker.recorded_caller is
$$Returns the caller as tasker.actor_name does, followed by the login role if the caller has set another role. Records of changes to the configuration use this name.$$;
