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
$$Returns the namespaces to which a role is bound now, if the role was recorded by name. Null if the role is not bound, no namespaces if no role has that name. Another role may have the name by now. So record the namespaces of the session beside the name.$$;
