create or replace function tasker.role_namespaces(p_role oid)
  returns text[]
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if exists (select from pg_roles as r where r.oid = p_role and r.rolsuper) then
    return null;
  end if;

  -- A member is bound as its groups are, unless all it may do with a group is to admit others to it, which
  -- since PostgreSQL 16 is what the creator of a role gets.
  return (
    select array_agg(distinct b.namespace order by b.namespace)
      from tasker.role_bindings as b
     where b.role = p_role
        or pg_has_role(p_role, b.role, 'usage')
        or pg_has_role(p_role, b.role, case when current_setting('server_version_num')::integer >= 160000 then 'set' else 'member' end)
  );
end;
$$;

comment on function tasker.role_namespaces(oid) is
$$The namespaces that a role is bound to, itself or by the groups that it may act as; null if it is bound to none. Superusers are not bound.$$;

revoke all on function tasker.role_namespaces(oid) from public;
