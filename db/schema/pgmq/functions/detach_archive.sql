-- down: nothing
create or replace function tasker_pgmq.detach_archive(queue_name text)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  raise warning 'detach_archive(queue_name) is deprecated and is a no-op. It will be removed in PGMQ v2.0. Archive tables are no longer member objects.';
end;
$$;

comment on function tasker_pgmq.detach_archive(text) is
$$Does nothing except raise a warning, because archives are not members of an extension.$$;
