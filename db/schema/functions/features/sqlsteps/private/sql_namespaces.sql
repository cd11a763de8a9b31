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
      -- A caller that may work in other namespaces would keep these rights in functions of pgtasker that the
      -- step calls.
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
$$Returns the namespaces among these, or among all if null, whose SQL steps the caller may run. A role is bound for the namespace's SQL steps. If that role is bound to namespaces, the caller is bound to no other namespaces.

Raises TK404 if a namespace does not exist, TK403 if the caller is bound to other namespaces.$$;
