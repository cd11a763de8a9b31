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
$$The caller as tasker.actor_name has it, and if it has set another role the one that is logged in: for what records who changed the set-up.$$;
