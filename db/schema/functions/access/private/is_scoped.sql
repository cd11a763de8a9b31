create or replace function tasker.is_scoped()
  returns boolean
  language sql
  stable
begin atomic
  select current_setting('tasker.namespaces', true) is not null;
end;

comment on function tasker.is_scoped() is
$$Whether the session's setting tasker.namespaces narrows what the caller may work in; tasker.bound_namespaces says to what. Inlined.$$;

revoke all on function tasker.is_scoped() from public;
