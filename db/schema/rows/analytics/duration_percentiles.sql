create table tasker.duration_percentiles (
  p50  numeric  not null,
  p95  numeric  not null,
  p99  numeric  not null,

  constraint duration_percentiles_row_type_check
    check (false) no inherit
);

comment on table tasker.duration_percentiles is
  'Row type: the 50th, 95th and 99th percentile of durations, in seconds.';

revoke all on table tasker.duration_percentiles from public;
