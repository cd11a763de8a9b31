create or replace function tasker.adopt_pg_partman()
  returns text
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_schema text;
begin
  select n.nspname
    into v_schema
    from pg_extension as e
    join pg_namespace as n
      on n.oid = e.extnamespace
   where e.extname = 'pg_partman';
  if not found then
    raise exception using
      errcode = 'TK404',
      message = 'pg_partman is not installed in this database',
      hint    = 'create schema partman; create extension pg_partman schema partman;';
  end if;

  execute format('grant usage on schema %I to tasker_owner', v_schema);
  execute format('grant select, insert, update, delete on table %I.part_config to tasker_owner', v_schema);
  execute format('grant select on table %I.part_config_sub to tasker_owner', v_schema);
  execute format('grant execute on all functions in schema %I to tasker_owner', v_schema);
  return v_schema;
end;
$$;

comment on function tasker.adopt_pg_partman is
$$Allows tasker_owner, and so tasker.ensure_partitions, to use the pg_partman of this database. Returns the schema of
pg_partman.

Idempotent. The owner of the extension, usually a superuser, calls this function. Raises TK404 if pg_partman is not
installed.$$;
