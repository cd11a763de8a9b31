create table tasker.error_counts (
  bucket       timestamptz  not null,
  fingerprint  bigint       not null,
  failures     bigint       not null,

  constraint error_counts_pkey
    primary key (bucket, fingerprint) include (failures)
);

create index error_counts_cause_idx
  on tasker.error_counts (fingerprint, bucket) include (failures);

comment on index tasker.error_counts_cause_idx is
  'Serves the hour of one cause.';

comment on table tasker.error_counts is
  'Failures of a cause in a quarter of a minute. Kept for an hour and a quarter.';
