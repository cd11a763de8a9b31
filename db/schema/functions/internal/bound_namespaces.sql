create or replace function tasker.bound_namespaces()
  returns text[]
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return (
    select array_agg(b.namespace)
      from tasker.worker_namespaces as b
     where b.role_name = tasker.caller_name()
  );
end;
$$;

comment on function tasker.bound_namespaces() is
$$The namespaces that the caller's role is bound to; null if it may work in all.$$;

revoke all on function tasker.bound_namespaces() from public;
