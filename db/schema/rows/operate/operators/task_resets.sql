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
  'Row type: the outcome for one task in a call that resets many.';
comment on column tasker.task_resets.state is
  'The state when the call read it.';
comment on column tasker.task_resets.outcome is
  'matched: a dry run; reset; locked: another transaction holds the task or its identity; moved: the task has left its state meanwhile; duplicate: another open task has the same identity with the scope "open".';
