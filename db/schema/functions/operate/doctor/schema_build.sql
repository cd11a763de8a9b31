create or replace function tasker.schema_build(p_version text)
  returns text
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform tasker.check_text_size('version', p_version, 100);
  return encode(sha256(convert_to((
    select coalesce(string_agg(b.version || chr(10) || b.files, '' order by b.version collate "C"), '')
      from tasker.schema_builds as b
     where b.version <= p_version collate "C"
  ), 'UTF8')), 'hex');
end;
$$;

comment on function tasker.schema_build is
$$Returns a digest of all that the applied migrations up to this version were composed of. A program that was built with others has another digest.$$;

grant execute on function tasker.schema_build
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader, tasker_server;
