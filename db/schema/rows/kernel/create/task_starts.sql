create or replace view tasker.task_starts as
select
  '00000000-0000-0000-0000-000000000000'::uuid as task_uuid,
  false::boolean as created,
  null::uuid as step_uuid,
  null::integer as claim_no,
  null::integer as step_no,
  null::text as namespace,
  null::text as task_name,
  null::text as task_version,
  null::text as name,
  null::text as handler,
  null::integer as attempt,
  null::integer as max_attempts,
  null::integer as lost_count,
  null::integer as priority,
  null::timestamptz as lease_until,
  null::integer as timeout_seconds,
  null::uuid as correlation_id,
  null::uuid as parent_correlation_id,
  null::jsonb as headers,
  null::jsonb as inputs,
  null::jsonb as checkpoint,
  null::text as last_error,
  null::jsonb as context,
  null::jsonb as parent_results
where false;

comment on view tasker.task_starts is
  'Row type: a task that was created and started by its worker. Each claimed step has a row, as in tasker.claimed_steps. If no step was claimed, there is one row whose step columns are null.';
comment on column tasker.task_starts.created is
  'False if an earlier request created the task. Then no step of the task is claimed.';
