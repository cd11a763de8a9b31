create or replace view tasker.task_creations as
select
  0::integer as position,
  '00000000-0000-0000-0000-000000000000'::uuid as task_uuid,
  false::boolean as created
where false;

comment on view tasker.task_creations is
  'Row type: the answer to one request for a task.';
comment on column tasker.task_creations.position is
  'The position of its context in the call, from 1.';
comment on column tasker.task_creations.created is
  'False if an earlier request created the task, whose UUID is returned.';
