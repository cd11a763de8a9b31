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
  'Row type: the outcome for one task in a call that cancels many.';
comment on column tasker.task_cancellations.state is
  'The state when the call read it.';
comment on column tasker.task_cancellations.outcome is
  'matched: a dry run; cancelled; undoing: the task''s compensations run first; locked: another transaction holds the task; ended: the task has ended meanwhile, or is being undone already.';
