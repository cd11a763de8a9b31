create or replace function tasker.check_bound_namespaces(p_namespaces text[])
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_bound text[];
begin
  if not (tasker.is_scoped() or exists (select from tasker.role_bindings)) then
    return;
  end if;
  v_bound := tasker.bound_namespaces();
  if v_bound is null or p_namespaces <@ v_bound then
    return;
  end if;
  perform tasker.raise_not_bound(u.namespace)
     from unnest(p_namespaces) as u (namespace)
    where u.namespace is not null
      and not u.namespace = any (v_bound);
end;
$$;

comment on function tasker.check_bound_namespaces is
$$Raises TK403 if the caller is not bound to all of these namespaces. Skips null elements.$$;
