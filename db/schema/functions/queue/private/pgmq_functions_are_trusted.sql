create or replace function tasker.pgmq_functions_are_trusted()
  returns boolean
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  -- Where nobody else may create a function, as is the rule, there is none to look for.
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
       -- Functions that only triggers call cannot take the place of another.
       and p.prorettype <> 'trigger'::regtype
  );
end;
$$;

comment on function tasker.pgmq_functions_are_trusted() is
$$Whether no role but the trusted ones has put a function into schema pgmq, where it might be called instead of pgmq's own.$$;

revoke all on function tasker.pgmq_functions_are_trusted() from public;
