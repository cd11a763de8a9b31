create or replace view tasker.lane_counts as
select
  'low'::tasker.lane as lane
where false;

comment on view tasker.lane_counts is
  'Row type: a lane.';

revoke all on table tasker.lane_counts from public;
