create or replace function tasker.schema_build(p_version text)
  returns tasker.schema_state
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_state tasker.schema_state;
begin
  perform tasker.check_text_size('version', p_version, 100);
  select encode(sha256(convert_to(
           coalesce(string_agg(b.version || chr(10) || b.files, '' order by b.version collate "C")
                      filter (where b.version <= p_version collate "C"), ''), 'UTF8')), 'hex'),
         max(b.version collate "C")
    into v_state
    from tasker.schema_builds as b;
  return v_state;
end;
$$;

comment on function tasker.schema_build is
$$Returns a digest of the files of the applied migrations up to this version, and the newest applied version. A program
that was built from other files has another digest. A database that lacks migrations of the program has a lower version.
A database with migrations of a later program has a higher version.$$;

grant execute on function tasker.schema_build
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader, tasker_server;
