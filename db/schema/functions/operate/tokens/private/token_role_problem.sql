create or replace function tasker.token_role_problem(p_role oid)
  returns text
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_groups oid[] := array[
    'tasker_submitter'::regrole, 'tasker_worker'::regrole, 'tasker_orchestrator'::regrole,
    'tasker_operator'::regrole, 'tasker_reader'::regrole
  ]::oid[];
  v_other  text;
begin
  if p_role = any (v_groups) then
    return null;
  elsif p_role = 'tasker_owner'::regrole then -- tasker_owner may be a member, because a role for SQL steps is granted to it.
    return 'it owns the schema';
  elsif not exists (
    select
      from pg_auth_members as m
     where m.member = p_role
       and m.roleid = any (v_groups)
  ) then
    return 'it is not one of tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator and tasker_reader, and not a member of any of them';
  elsif exists (
    select
      from pg_roles as r
     where r.oid = p_role
       and (r.rolsuper or r.rolcreaterole or r.rolcreatedb or r.rolreplication or r.rolbypassrls)
  ) then
    return 'it has rights of its own: superuser, createrole, createdb, replication or bypassrls';
  end if;

  with recursive above (role) as (
    select p_role
    union
    select m.roleid
      from above as a
      join pg_auth_members as m
        on m.member = a.role
  )
  select r.rolname
    into v_other
    from above as a
    join pg_roles as r
      on r.oid = a.role
   where a.role <> p_role
     and not a.role = any (v_groups)
   order by r.rolname
   limit 1;
  return format('it is a member of %s', v_other) where v_other is not null;
end;
$$;

comment on function tasker.token_role_problem is
$$Returns why a token cannot have this role, or null if it can. The role of a token must be one of pgtasker's groups.
The role can also be a member of only these groups that has no other rights.$$;
