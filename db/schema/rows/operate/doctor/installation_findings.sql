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
  'ok; warn: it works, but may be slow or surprising; fail: it does not work, or is not safe.';
comment on column tasker.installation_findings.hint is
  'The remedy. Null if there is nothing to do.';
