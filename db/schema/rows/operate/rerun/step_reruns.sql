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
  'again: the step runs again; replaced: the step is an instance of a map that begins again, and new instances replace it.';
comment on column tasker.step_reruns.has_compensation is
  'Whether the step had an effect that its compensation could undo. The compensation does not run before the step runs again.';
comment on column tasker.step_reruns.child_task_uuid is
  'The task that the step started. It is cancelled if it is open, and the step then starts a new task.';
