create table tasker.installation_findings (
  name     text  not null,
  status   text  not null,
  message  text  not null,
  hint     text,

  constraint installation_findings_row_type_check
    check (false) no inherit
);

comment on table tasker.installation_findings is
  'Row type: something that was looked at in the server or the database, and how it is.';
comment on column tasker.installation_findings.status is
  'ok; warn: it works, but will cost or surprise; fail: something does not work, or is not safe.';
comment on column tasker.installation_findings.hint is
  'What to do about it. Null if there is nothing to do.';

revoke all on table tasker.installation_findings from public;
