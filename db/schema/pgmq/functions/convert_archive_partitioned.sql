-- down: nothing
create or replace function tasker_pgmq.convert_archive_partitioned(
  table_name text,
  partition_interval text default '10000',
  retention_interval text default '100000',
  leading_partition integer default 10
)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_archive text := pgmq.format_table_name(table_name, 'a');
begin
  if to_regclass(format('pgmq.%I', v_archive)) is null then
    raise notice 'Table % does not exist', v_archive;
    return;
  end if;
  raise exception 'pg_partman is required for partitioned queues';
end;
$$;

comment on function tasker_pgmq.convert_archive_partitioned(text, text, text, integer) is
$$Not offered here: answers as the extension does without pg_partman, or with a notice if there is no such archive.$$;
