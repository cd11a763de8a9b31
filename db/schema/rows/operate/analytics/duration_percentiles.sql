create or replace view tasker.duration_percentiles as
select
  0::numeric as p50,
  0::numeric as p95,
  0::numeric as p99
where false;

comment on view tasker.duration_percentiles is
  'Row type: the 50th, 95th and 99th percentile of durations, in seconds.';
