create or replace view tasker.schema_state as
select
  ''::text as digest,
  null::text as newest_version
where false;

comment on view tasker.schema_state is
  'Row type: what the applied migrations were composed of, as programs compare it with their own.';
