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
  v_bound text[];
begin
  -- Most databases bind no role.
  if exists (select from tasker.role_bindings) then
    v_login := tasker.role_namespaces(to_regrole(quote_ident(session_user)));
    -- A role that was renamed or dropped after SET ROLE is unknown, and may see nothing.
    v_role := tasker.named_role_namespaces(nullif(current_setting('role'), 'none'));
    v_bound := tasker.narrowed(v_login, v_role);
  end if;
  return tasker.narrowed(v_bound, tasker.session_scope());
end;
$$;

comment on function tasker.bound_namespaces is
$$Returns the namespaces that the caller is bound to, null if it may work in all.

The login role (session_user) decides: the caller may work in the namespaces that are bound to this role or to a group that it may act as. SET ROLE can only remove namespaces: the session keeps the namespaces that both roles have. The setting tasker.namespaces, a list separated by commas, can also only remove namespaces: "*" or an empty value removes none, "-" removes all. Superusers are bound only by that setting. Behind a connection pool, session_user is the login role of the pool.$$;

grant execute on function tasker.bound_namespaces
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
