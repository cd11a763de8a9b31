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
$$Returns the namespaces that the role of this name is bound to now. Returns null if the role is not bound, and an empty array if there is no such role. A recorded name may belong to another role by now, so also record the namespaces of the session when you record a name.$$;
