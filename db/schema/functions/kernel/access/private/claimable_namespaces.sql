create or replace function tasker.claimable_namespaces(p_namespaces text[])
  returns text[]
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_bound text[];
begin
  if tasker.is_scoped() or exists (select from tasker.role_bindings) then
    v_bound := tasker.bound_namespaces();
    perform tasker.check_bound_namespaces(p_namespaces);
  end if;
  if p_namespaces is not null then
    perform tasker.check_array_size('namespaces', cardinality(p_namespaces), 1000);
    perform tasker.check_namespace_exists(u.namespace)
       from unnest(p_namespaces) as u (namespace);
  end if;

  return array(
    select n.name
      from tasker.task_namespaces as n
     where n.paused_at is null
       and (p_namespaces is null or n.name = any (p_namespaces))
       and (v_bound is null or n.name = any (v_bound))
  );
end;
$$;

comment on function tasker.claimable_namespaces is
$$Returns the namespaces among these, or among all if null, that are not paused and that the caller's role may work in. Raises TK404 if a namespace does not exist, TK403 if the role is bound to other namespaces.$$;
