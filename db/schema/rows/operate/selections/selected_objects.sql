create or replace view tasker.selected_objects as
select
  '00000000-0000-0000-0000-000000000000'::uuid as object_uuid,
  '00000000-0000-0000-0000-000000000000'::uuid as task_uuid,
  null::text as namespace
where false;

comment on view tasker.selected_objects is
  'Row type: a task, a step or a dead-letter entry that a selection may have, with its task.';
