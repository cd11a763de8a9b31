create or replace function tasker.is_scoped()
  returns boolean
  language sql
  stable
begin atomic
  select coalesce(current_setting('tasker.namespaces', true), '') <> '';
end;

comment on function tasker.is_scoped is
$$Returns true if the session's setting tasker.namespaces restricts the caller. tasker.bound_namespaces returns the namespaces that the caller is restricted to. The function is inlined.$$;
