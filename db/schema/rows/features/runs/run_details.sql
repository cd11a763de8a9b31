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
  'Row type: a task of a template that bounds its runs by key. The task has one of the key''s places, or waits for a place.';
comment on column tasker.run_details.state is
  'running: the task has one of the key''s places. waiting: the task is in line for a place.';
comment on column tasker.run_details.held_by is
  'blocked: the task has a place, but it has failed or is blocked by failures, or the task waits for the place of such a task. run: the task waits until a running task ends. start: the task is to start at a later time.';
comment on column tasker.run_details.place is
  'The position of the task in the line, from 1. Null if the task is running.';
comment on column tasker.run_details.line_at is
  'The time when the task got in line, or will get in line.';
comment on column tasker.run_details.run_at is
  'The time when the task got its place. Null if the task is waiting.';
