create table tasker.duration_percentiles (
  p50  numeric  not null,
  p95  numeric  not null,
  p99  numeric  not null,

  constraint duration_percentiles_row_type_check
    check (false) no inherit
);

comment on table tasker.duration_percentiles is
  'Row type: what a half, 95 and 99 percent of durations do not exceed, in seconds.';

revoke all on table tasker.duration_percentiles from public;
