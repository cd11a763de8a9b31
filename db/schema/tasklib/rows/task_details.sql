create or replace view tasklib.task_details as
select
  '00000000-0000-0000-0000-000000000000'::uuid as id,
  ''::text as name,
  'pending'::tasklib.task_state as state,
  0::integer as priority,
  '-infinity'::timestamptz as created_at,
  ''::text as submitted_by,
  '-infinity'::timestamptz as scheduled_at,
  null::timestamptz as started_at,
  null::timestamptz as completed_at,
  null::timestamptz as locked_until,
  null::text as worker_id,
  0::integer as claim_no,
  0::integer as retry_count,
  0::integer as max_retries,
  null::timestamptz as next_retry_at,
  null::integer as timeout_seconds,
  null::timestamptz as expires_at,
  null::text as dedup_key,
  null::text as limit_key,
  '{}'::jsonb as kwargs,
  null::jsonb as tags,
  null::jsonb as result,
  null::text as error,
  null::timestamptz as erased_at
where false;

comment on view tasklib.task_details is
  'Row type: a task with all its data, except columns that only claims need.';
comment on column tasklib.task_details.erased_at is
  'The time when the data of the task was erased. Null if it was not erased.';
