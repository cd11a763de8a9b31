-- down: nothing
create or replace function tasker_pgmq.create_partitioned(
  queue_name text,
  partition_interval text default '10000',
  retention_interval text default '100000'
)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception 'pg_partman is required for partitioned queues';
end;
$$;

comment on function tasker_pgmq.create_partitioned(text, text, text) is
$$Raises an exception, because pgtasker does not offer partitioned queues. The extension raises the same exception if pg_partman is not installed.$$;
