create or replace view tasker.run_details as
select
  '00000000-0000-0000-0000-000000000000'::uuid as task_uuid,
  ''::text as namespace,
  ''::text as name,
  ''::text as run_key,
  ''::text as state,
  null::text as held_by,
  null::integer as place,
  'pending'::tasker.task_state as task_state,
  0::integer as priority,
  '-infinity'::timestamptz as line_at,
  null::timestamptz as run_at
where false;

comment on view tasker.run_details is
  'Row type: a task that has a place of its key, or waits for a place.';
comment on column tasker.run_details.state is
  'running: it has one of the key''s places. waiting: it is in line.';
comment on column tasker.run_details.held_by is
  'blocked: the task has a place and has failed or is blocked by failures, or such a task has the place that this one waits for. run: the task waits for a running one. start: its start lies ahead.';
comment on column tasker.run_details.place is
  'The position in line, from 1. Null if the task has a place already.';
comment on column tasker.run_details.line_at is
  'The time since which the task is in line, or the time from which it will be.';
comment on column tasker.run_details.run_at is
  'The time when the task got its place. Null if it waits.';
