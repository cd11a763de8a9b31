create or replace view tasker.task_cancellations as
select
  '00000000-0000-0000-0000-000000000000'::uuid as task_uuid,
  ''::text as namespace,
  ''::text as name,
  ''::text as version,
  'pending'::tasker.task_state as state,
  '-infinity'::timestamptz as requested_at,
  ''::text as outcome
where false;

comment on view tasker.task_cancellations is
  'Row type: the outcome of a cancellation of many tasks for one task.';
comment on column tasker.task_cancellations.state is
  'The state in which it was found.';
comment on column tasker.task_cancellations.outcome is
  'matched: a dry run; cancelled; undoing: its compensations run first; locked: another transaction holds it; ended: it has ended meanwhile, or is being undone already.';
