create or replace view tasker.task_resets as
select
  '00000000-0000-0000-0000-000000000000'::uuid as task_uuid,
  ''::text as namespace,
  ''::text as name,
  ''::text as version,
  'pending'::tasker.task_state as state,
  0::integer as failed_steps,
  '-infinity'::timestamptz as requested_at,
  ''::text as outcome
where false;

comment on view tasker.task_resets is
  'Row type: the outcome of a reset of many tasks for one task.';
comment on column tasker.task_resets.state is
  'The state in which it was found.';
comment on column tasker.task_resets.outcome is
  'matched: a dry run; reset; locked: another transaction holds it or its identity; moved: it has left that state meanwhile; duplicate: another open task has its identity, by the scope "open".';
