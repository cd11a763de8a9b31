create or replace view tasker.partition_backends as
select
  ''::text as backend,
  ''::text as reason,
  null::text as schema_name,
  null::text as version
where false;

comment on view tasker.partition_backends is
  'Row type: which manager creates partitions, and why.';
