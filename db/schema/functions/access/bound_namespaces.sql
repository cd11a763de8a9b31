create or replace function tasker.bound_namespaces()
  returns text[]
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_login text[];
  v_role  text[];
begin
  -- Most databases bind nobody.
  if not exists (select from tasker.role_bindings) then
    return null;
  end if;

  v_login := tasker.role_namespaces(to_regrole(quote_ident(session_user)));
  if current_setting('role') = 'none' then
    return v_login;
  end if;
  -- A role that has been renamed or dropped since SET ROLE is unknown, and may see nothing.
  v_role := case
    when to_regrole(quote_ident(current_setting('role'))) is null then '{}'
    else tasker.role_namespaces(to_regrole(quote_ident(current_setting('role'))))
  end;
  if v_login is null or v_role is null then
    return coalesce(v_login, v_role);
  end if;
  return array(select unnest(v_login) intersect select unnest(v_role) order by 1);
end;
$$;

comment on function tasker.bound_namespaces() is
$$The namespaces that the caller is bound to; null if it may work in all.

The login role (session_user) decides: it has what is bound to it and to the groups that it may act as, together. SET ROLE can only take away: what is left is what both roles have. Superusers are not bound. Behind a connection pool the login role is the pool's.$$;

revoke all on function tasker.bound_namespaces() from public;
grant execute on function tasker.bound_namespaces()
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
