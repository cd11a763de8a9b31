create or replace view tasker.lane_counts as
select
  'low'::tasker.lane as lane,
  0::integer as jobs
where false;

comment on view tasker.lane_counts is
  'Row type: how many jobs a lane has.';

revoke all on table tasker.lane_counts from public;
