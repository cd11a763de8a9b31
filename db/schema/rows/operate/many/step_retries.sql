create or replace view tasker.step_retries as
select
  '00000000-0000-0000-0000-000000000000'::uuid as step_uuid,
  '00000000-0000-0000-0000-000000000000'::uuid as task_uuid,
  ''::text as namespace,
  ''::text as name,
  ''::text as version,
  ''::text as step,
  'error'::tasker.step_state as state,
  0::integer as attempts,
  null::text as last_error,
  ''::text as outcome
where false;

comment on view tasker.step_retries is
  'Row type: the outcome for one step in a call that retries many.';
comment on column tasker.step_retries.state is
  'The state when the call read it.';
comment on column tasker.step_retries.outcome is
  'matched: a dry run; retried; locked: another transaction holds the step''s task; moved: the step has left its state meanwhile, or its task is being undone.';
