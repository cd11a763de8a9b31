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
  'Failures of a cause in an hour, by quarters of a minute. Rows are kept for two hours, so one cause has three rows at most.';
comment on column tasker.error_counts.quarters is
  'The failures in each of 240 quarters of a minute. The first quarter begins at bucket.';
