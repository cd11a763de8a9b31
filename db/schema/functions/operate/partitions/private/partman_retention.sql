create or replace function tasker.partman_retention()
  returns text[]
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_config regclass;
  v_tables text[];
begin
  select to_regclass(format('%I.part_config', n.nspname))
    into v_config
    from pg_extension as e
    join pg_namespace as n
      on n.oid = e.extnamespace
   where e.extname = 'pg_partman'
     and has_schema_privilege('tasker_owner', n.oid, 'usage'); -- otherwise to_regclass raises an error
  if v_config is null or not has_table_privilege('tasker_owner', v_config, 'select') then
    return '{}';
  end if;
  execute format(
    'select array_agg(c.parent_table order by c.parent_table) from %s as c where c.parent_table like $1 and c.retention is not null',
    v_config
  )
    into v_tables
   using 'tasker.%';
  return coalesce(v_tables, '{}');
end;
$$;

comment on function tasker.partman_retention is
$$Returns the run tables for which pg_partman has a retention of its own in part_config.$$;
