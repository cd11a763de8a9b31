create or replace view tasker.step_explanations as
select
  '00000000-0000-0000-0000-000000000000'::uuid as workflow_step_uuid,
  '00000000-0000-0000-0000-000000000000'::uuid as task_uuid,
  ''::text as name,
  ''::text as handler,
  ''::text as namespace,
  'pending'::tasker.task_state as task_state,
  'pending'::tasker.step_state as current_state,
  ''::text as summary,
  null::text as blocking_reason,
  null::timestamptz as due_at,
  '{}'::jsonb as waiting_for,
  '{}'::jsonb as unsatisfied,
  '{}'::jsonb as blocked_by,
  null::uuid as worker_uuid,
  0::integer as attempts,
  0::integer as retry_limit,
  null::text as last_error,
  null::text as login,
  null::text as role
where false;

comment on view tasker.step_explanations is
  'Row type: why a step is, or is not, running.';
comment on column tasker.step_explanations.due_at is
  'The next time when the engine acts on the step by itself: at the step''s next attempt, at the start of its task, or at the end of its worker''s lease.';
comment on column tasker.step_explanations.login is
  'The role that was logged in when the step last moved. Null if the step has never moved. The column "role" has the role that this login had set, null if it had set none.';
comment on column tasker.step_explanations.waiting_for is
  'The parents that have not settled, at most a hundred, each as {step_uuid, name, state}.';
comment on column tasker.step_explanations.unsatisfied is
  'The parents that have settled without satisfying their edge, at most a hundred, each as {step_uuid, name, state, condition}.';
comment on column tasker.step_explanations.blocked_by is
  'The permanently failed steps on which the step depends, nearest first, at most a hundred, each as {step_uuid, name, distance, error}.';
