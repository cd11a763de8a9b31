create or replace function tasker.sql_namespaces(p_namespaces text[])
  returns text[]
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_bound text[];
begin
  perform tasker.check_array_size('namespaces', cardinality(p_namespaces), 1000);
  perform tasker.check_namespace_exists(u.namespace)
     from unnest(p_namespaces) as u (namespace);
  if tasker.is_scoped() or exists (select from tasker.role_bindings) then
    perform tasker.check_bound_namespaces(p_namespaces);
    v_bound := tasker.bound_namespaces();
  end if;
  return array(
    select r.namespace
      from tasker.sql_roles as r
      -- Functions of pgtasker that a step calls run with the rights of the caller. So the caller must not have rights in
      -- namespaces to which the role is not bound.
     cross join lateral (select tasker.role_namespaces(r.role) as namespaces) as b
     where r.namespace = any (tasker.intact_sql_roles())
       and (p_namespaces is null or r.namespace = any (p_namespaces))
       and (v_bound is null or r.namespace = any (v_bound))
       and (b.namespaces is null or v_bound <@ b.namespaces)
     order by r.namespace
  );
end;
$$;

comment on function tasker.sql_namespaces is
$$Returns the namespaces among p_namespaces (null: all namespaces) whose SQL steps the caller may run. Such a namespace has a bound role for its SQL steps. If that role is itself bound to namespaces, the caller must be bound to no other namespaces.

Raises TK404 if a namespace does not exist, TK403 if the caller is bound to other namespaces.$$;
