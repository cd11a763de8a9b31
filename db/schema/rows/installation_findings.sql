create table tasker.installation_findings (
  name     text  not null,
  status   text  not null,
  message  text  not null,
  hint     text,

  constraint installation_findings_row_type_check
    check (false) no inherit
);

comment on table tasker.installation_findings is
  'Row type: the result of one check of the server or the database.';
comment on column tasker.installation_findings.status is
  'ok; warn: it works, but may be slow or surprising; fail: it does not work, or is not safe.';
comment on column tasker.installation_findings.hint is
  'The remedy. Null if there is nothing to do.';

revoke all on table tasker.installation_findings from public;
