create or replace view tasker.integrity_problems as
select
  null::uuid as task_uuid,
  null::integer as step_no,
  null::integer as sort_key,
  ''::text as object,
  ''::text as problem
where false;

comment on view tasker.integrity_problems is
  'Row type: an inconsistency in the history or the audit. Only a change that bypassed the engine can cause it.';
comment on column tasker.integrity_problems.step_no is
  'The number of the step. Null if the inconsistency concerns the task itself.';
comment on column tasker.integrity_problems.object is
  'The table in which the inconsistency was found.';
