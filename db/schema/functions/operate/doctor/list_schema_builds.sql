create or replace function tasker.list_schema_builds()
  returns setof tasker.schema_builds
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  select b.*
    from tasker.schema_builds as b
   order by b.version;
end;
$$;

comment on function tasker.list_schema_builds is
$$Returns for each applied migration the files of db/schema that it was composed of, with their digests. With these rows
"tasker doctor" names the files in which the database and the program differ.$$;

grant execute on function tasker.list_schema_builds
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader, tasker_server;
