create or replace view tasker.step_details as
select
  '00000000-0000-0000-0000-000000000000'::uuid as workflow_step_uuid,
  '00000000-0000-0000-0000-000000000000'::uuid as task_uuid,
  0::integer as step_no,
  ''::text as name,
  ''::text as handler,
  'pending'::tasker.step_state as state,
  ''::text as join_mode,
  0::integer as total_parents,
  0::integer as pending_parents,
  0::integer as satisfied_parents,
  0::integer as claim_no,
  0::integer as attempts,
  0::integer as max_attempts,
  0::integer as lost_count,
  false::boolean as retryable,
  0::integer as priority,
  '-infinity'::timestamptz as created_at,
  null::timestamptz as last_attempted_at,
  null::timestamptz as last_failure_at,
  null::timestamptz as next_retry_at,
  null::timestamptz as lease_until,
  null::timestamptz as processed_at,
  null::uuid as worker_uuid,
  null::text as last_error,
  '{}'::jsonb as inputs,
  null::jsonb as results,
  null::jsonb as checkpoint,
  null::uuid as child_task_uuid,
  null::integer as undo_no,
  null::jsonb as function_state
where false;

comment on view tasker.step_details is
  'Row type: a step as lists show it.';
comment on column tasker.step_details.undo_no is
  'The number of the step that this compensation undoes. Null for steps of the graph.';
comment on column tasker.step_details.function_state is
  'The state with which the durable function began its present round. Null in its first round.';
