create or replace view tasker.schedule_runs as
select
  '-infinity'::timestamptz as tick_at,
  '-infinity'::timestamptz as due_at
where false;

comment on view tasker.schedule_runs is
  'Row type: a future tick of a schedule.';
comment on column tasker.schedule_runs.due_at is
  'The time of the tick plus its jitter.';
