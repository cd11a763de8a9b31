create or replace view tasker.published_steps as
select
  '00000000-0000-0000-0000-000000000000'::uuid as step_uuid,
  '00000000-0000-0000-0000-000000000000'::uuid as task_uuid,
  ''::text as handler,
  '00000000-0000-0000-0000-000000000000'::uuid as correlation_id,
  false::boolean as again
where false;

comment on view tasker.published_steps is
  'Row type: a step for which a message is to be sent.';
comment on column tasker.published_steps.again is
  'Whether an earlier message for the step seems to be lost.';
