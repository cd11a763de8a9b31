create or replace view tasker.step_additions as
select
  0::integer as step_no,
  '00000000-0000-0000-0000-000000000000'::uuid as workflow_step_uuid,
  ''::text as name,
  false::boolean as created
where false;

comment on view tasker.step_additions is
  'Row type: a step that was added to a running task.';
comment on column tasker.step_additions.created is
  'False if the task already had a step of that name.';
