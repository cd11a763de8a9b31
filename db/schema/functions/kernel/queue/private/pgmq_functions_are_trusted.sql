create or replace function tasker.pgmq_functions_are_trusted()
  returns boolean
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  -- Usually no other role may create functions in the schema, and then it has no function of another role.
  if not exists (
    select
      from pg_namespace as n
     cross join lateral aclexplode(n.nspacl) as a
     where n.nspname = 'pgmq'
       and a.privilege_type = 'CREATE'
       and not tasker.pgmq_owner_is_trusted(a.grantee)
  ) then
    return true;
  end if;
  return not exists (
    select
      from pg_depend as d
      join pg_proc as p
        on p.oid = d.objid
     where d.refclassid = 'pg_namespace'::regclass
       and d.refobjid = to_regnamespace('pgmq')::oid
       and d.classid = 'pg_proc'::regclass
       and not tasker.pgmq_owner_is_trusted(p.proowner)
       -- A trigger function cannot be called in place of another function.
       and p.prorettype <> 'trigger'::regtype
  );
end;
$$;

comment on function tasker.pgmq_functions_are_trusted is
$$Returns true if all functions in schema pgmq belong to trusted roles. A function of another role could be called instead of pgmq's own function.$$;
