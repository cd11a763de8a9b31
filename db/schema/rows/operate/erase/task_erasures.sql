create or replace view tasker.task_erasures as
select
  '00000000-0000-0000-0000-000000000000'::uuid as task_uuid,
  ''::text as namespace,
  ''::text as name,
  ''::text as version,
  'pending'::tasker.task_state as state,
  0::integer as total_steps,
  '-infinity'::timestamptz as requested_at,
  '00000000-0000-0000-0000-000000000000'::uuid as root_uuid,
  ''::text as outcome
where false;

comment on view tasker.task_erasures is
  'Row type: the outcome for one task in a call that erases tasks.';
comment on column tasker.task_erasures.root_uuid is
  'The task for which the erasure was requested, or that the filters found.';
comment on column tasker.task_erasures.outcome is
  'matched: a dry run; erased; already: an earlier call erased the task; open: the task has not ended; noted: the engine has yet to do something for the task, such as tell its parent; acted_on: a mass action on the task is running; locked: another transaction holds the task.';
