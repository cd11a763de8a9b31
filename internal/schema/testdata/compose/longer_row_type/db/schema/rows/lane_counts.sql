create or replace view tasker.lane_counts as
select
  'low'::tasker.lane as lane,
  null::bigint as jobs,
  null::timestamptz as oldest
where false;

comment on view tasker.lane_counts is
  'Row type: how many jobs a lane has, and since when.';
comment on column tasker.lane_counts.oldest is
  'When the oldest of them was pushed.';

revoke all on table tasker.lane_counts from public;
