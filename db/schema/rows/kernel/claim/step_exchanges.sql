create or replace view tasker.step_exchanges as
select
  '00000000-0000-0000-0000-000000000000'::uuid as step_uuid,
  0::integer as claim_no,
  null::tasker.result_answer as answer,
  null::timestamptz as next_retry_at,
  null::uuid as task_uuid,
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
  null::jsonb as parent_results,
  null::jsonb as kept
where false;

comment on view tasker.step_exchanges is
  'Row type: the reply to an exchange. First a row of tasker.step_answers for each result, then a row of tasker.claimed_steps for each claimed step.';
comment on column tasker.step_exchanges.answer is
  'Null in the rows of claimed steps.';
