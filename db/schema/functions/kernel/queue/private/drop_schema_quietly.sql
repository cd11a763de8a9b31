create or replace function tasker.drop_schema_quietly(p_schema text)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set client_min_messages = warning
as $$
begin
  execute format('drop schema if exists %I cascade', p_schema);
end;
$$;

comment on function tasker.drop_schema_quietly is
$$Drops a schema and everything in it without the notice that lists its objects. The caller must own the schema.$$;
