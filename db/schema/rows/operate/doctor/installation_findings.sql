create or replace view tasker.installation_findings as
select
  ''::text as name,
  ''::text as status,
  ''::text as message,
  null::text as hint
where false;

comment on view tasker.installation_findings is
  'Row type: the result of one check of the server or the database.';
comment on column tasker.installation_findings.status is
  'ok; warn: the checked object works, but may be slow or behave unexpectedly; fail: it does not work or is not safe.';
comment on column tasker.installation_findings.hint is
  'The instruction how to remove the problem. Null if nothing needs to be done.';
