create or replace function tasker.check_unbound()
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if (tasker.is_scoped() or exists (select from tasker.role_bindings)) and tasker.bound_namespaces() is not null then
    perform tasker.raise_not_bound(null);
  end if;
end;
$$;

comment on function tasker.check_unbound is
$$Raises TK403 if the caller is bound to namespaces, because the call concerns all namespaces.$$;
