create or replace function tasker.sql_role_problem(p_role oid)
  returns text
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_role  record;
  v_other text;
begin
  select r.rolname::text as name, r.rolsuper, r.rolcreaterole or r.rolcreatedb or r.rolreplication or r.rolbypassrls as strong
    into v_role
    from pg_roles as r
   where r.oid = p_role;
  if not found then
    return null;
  elsif v_role.rolsuper then
    return 'is a superuser';
  elsif pg_has_role(p_role, 'tasker_owner', 'member') then
    return 'is tasker_owner or its member';
  elsif v_role.name = any ('{tasker_submitter,tasker_worker,tasker_orchestrator,tasker_operator,tasker_reader,tasker_server}')
     or v_role.name = any ('{tasklib_submitter,tasklib_worker,tasklib_operator,tasklib_reader}') then
    return 'is one of pgtasker''s groups, whose members would share the rights of the functions';
  elsif v_role.strong then
    return 'has rights over the whole server: createrole, createdb, replication or bypassrls';
  end if;

  -- Count all roles that the role is a member of, even if it does not inherit their rights, because a later grant may
  -- change this.
  select r.rolname
    into v_other
    from pg_roles as r
   where pg_has_role(p_role, r.oid, 'member')
     and (
       r.rolsuper
       or r.rolname in (
         'pg_read_all_data', 'pg_write_all_data', 'pg_maintain', 'pg_execute_server_program', 'pg_read_server_files', 'pg_write_server_files',
         'pg_create_subscription', 'pg_signal_backend'
       )
     )
   order by r.rolname
   limit 1;
  return format('has the rights of "%s", which reach beyond its own tables', v_other) where v_other is not null;
end;
$$;

comment on function tasker.sql_role_problem is
$$Returns the reason why SQL steps must not run as this role, as the rest of a sentence about the role. Returns null if SQL steps may run as this role, or if the role does not exist.

The role may be a member of pgtasker's groups, for example so that its functions can create tasks. But the role must not be one of these groups itself, because then every member of the group would have the rights of the functions, and tasker_owner would be a member of the group.$$;
