create or replace view tasklib.task_outcomes as
select
  0::integer as position,
  '00000000-0000-0000-0000-000000000000'::uuid as id,
  ''::text as outcome
where false;

comment on view tasklib.task_outcomes is
  'Row type: the outcome of a report about a claimed task. The outcome "stale" means that the worker had already lost the claim, and the task did not change.';
