create or replace view tasker.schema_state as
select
  ''::text as digest,
  null::text as newest_version
where false;

comment on view tasker.schema_state is
  'Row type: the newest version, and a digest of the files of the applied migrations, which programs compare with the digest of their own files.';
