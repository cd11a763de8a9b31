create table tasker.error_counts (
  bucket       timestamptz  not null,
  fingerprint  bigint       not null,
  failures     bigint       not null,
  quarters     integer[]    not null,

  constraint error_counts_pkey
    primary key (bucket, fingerprint),
  constraint error_counts_quarters_check
    check (cardinality(quarters) = 240)
);

comment on table tasker.error_counts is
  'The numbers of failures of a cause in an hour, for each quarter of a minute. Rows are kept for two hours, so that a cause has at most three rows.';
comment on column tasker.error_counts.quarters is
  'The number of failures in each of the 240 quarter minutes of the hour that begins at bucket.';
