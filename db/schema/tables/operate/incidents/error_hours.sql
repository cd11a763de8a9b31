create table tasker.error_hours (
  fingerprint  bigint       not null,
  bucket       timestamptz  not null,
  failures     bigint       not null,

  constraint error_hours_pkey
    primary key (fingerprint, bucket) include (failures)
);

comment on table tasker.error_hours is
  'The number of failures of a cause in an hour. The usual number of failures is computed from these rows, which are kept for two days.';
