create or replace function tasker.intact_sql_roles()
  returns text[]
  language plpgsql
  stable
as $$
begin
  -- The function is in plpgsql, because the session then keeps the plan. A function in SQL would be planned again in each
  -- call.
  return array(
    select r.namespace
      from tasker.sql_roles as r
      join pg_proc as p
        on p.pronamespace = (select n.oid from pg_namespace as n where n.nspname = 'tasker_sql')
       and p.proname = r.namespace
       and p.prosecdef
       and p.proowner = r.role
       and p.proconfig = '{"search_path=pg_catalog, pg_temp"}'
  );
end;
$$;

comment on function tasker.intact_sql_roles is
$$Returns the namespaces whose function in the schema tasker_sql is unchanged since tasker.bind_sql_role created it, and belongs to the bound role.$$;
