create table tasker.error_hours (
  fingerprint  bigint       not null,
  bucket       timestamptz  not null,
  failures     bigint       not null,

  constraint error_hours_pkey
    primary key (fingerprint, bucket) include (failures)
);

comment on table tasker.error_hours is
  'Failures of a cause in an hour, from which its usual number follows. Rows are kept for two days.';
