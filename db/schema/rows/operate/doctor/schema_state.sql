create or replace view tasker.schema_state as
select
  ''::text as digest,
  null::text as newest_version
where false;

comment on view tasker.schema_state is
  'Row type: a digest of the files of the applied migrations, which programs compare with their own, and the newest version.';
