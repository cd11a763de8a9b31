create or replace function tasker.named_role_namespaces(p_role text)
  returns text[]
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_role oid := to_regrole(quote_ident(p_role));
begin
  if p_role is null then
    return null;
  end if;
  return case when v_role is null then '{}' else tasker.role_namespaces(v_role) end;
end;
$$;

comment on function tasker.named_role_namespaces is
$$Returns the namespaces that a role which was recorded by name is bound to now; null if it is not bound, none if no role has that name. The name may be that of another role by now: record what the session was bound to beside it.$$;
