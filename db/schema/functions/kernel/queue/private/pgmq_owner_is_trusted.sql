create or replace function tasker.pgmq_owner_is_trusted(p_owner oid)
  returns boolean
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return p_owner in (
      select n.nspowner from pg_namespace as n where n.nspname in ('tasker', 'pgmq')
      union all
      select e.extowner from pg_extension as e where e.extname = 'pgmq'
    )
    or exists (select from pg_roles as r where r.oid = p_owner and r.rolsuper);
end;
$$;

comment on function tasker.pgmq_owner_is_trusted is
$$Returns true if tasker_owner may use objects of this role in schema pgmq, although their triggers, views and functions then run with its rights. The trusted roles are tasker_owner, the owners of schema and extension pgmq, and superusers.$$;
