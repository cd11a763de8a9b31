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

  -- A member of a group is bound as the group is. The exception is a member that may only grant the group to other
  -- roles: since PostgreSQL 16 the creator of a role has this right.
  return (
    select array_agg(distinct b.namespace order by b.namespace)
      from tasker.role_bindings as b
     where b.role = p_role
        or pg_has_role(p_role, b.role, 'usage')
        or pg_has_role(p_role, b.role, case when current_setting('server_version_num')::integer >= 160000 then 'set' else 'member' end)
  );
end;
$$;

comment on function tasker.role_namespaces is
$$Returns the namespaces that a role is bound to, itself or by the groups that it may act as. Returns null if the role is not bound. Superusers are not bound.$$;
