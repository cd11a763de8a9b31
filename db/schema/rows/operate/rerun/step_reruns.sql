create or replace view tasker.step_reruns as
select
  '00000000-0000-0000-0000-000000000000'::uuid as task_uuid,
  0::integer as step_no,
  '00000000-0000-0000-0000-000000000000'::uuid as workflow_step_uuid,
  ''::text as name,
  'pending'::tasker.step_state as state,
  ''::text as fate,
  false::boolean as has_compensation,
  null::uuid as child_task_uuid
where false;

comment on view tasker.step_reruns is
  'Row type: a step that runs again together with another step.';
comment on column tasker.step_reruns.fate is
  'again: it runs again; replaced: it is an instance of a map that begins again, and other instances take its place.';
comment on column tasker.step_reruns.has_compensation is
  'The effect of the step is not undone before the step runs again.';
comment on column tasker.step_reruns.child_task_uuid is
  'The task that the step started. The step starts a new task, and this task is cancelled if it is open.';
