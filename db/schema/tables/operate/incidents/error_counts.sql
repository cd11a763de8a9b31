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
  'Failures of a cause in an hour, by quarters of a minute. Kept for two hours: one cause has three rows at most.';
comment on column tasker.error_counts.quarters is
  'The failures of each of the 240 quarters of a minute: the first one begins at bucket.';
