create or replace view tasklib.claimed_tasks as
select
  '00000000-0000-0000-0000-000000000000'::uuid as id,
  ''::text as name,
  0::integer as claim_no,
  0::integer as retry_count,
  0::integer as max_retries,
  null::integer as timeout_seconds,
  0::integer as priority,
  '-infinity'::timestamptz as created_at,
  '-infinity'::timestamptz as scheduled_at,
  '-infinity'::timestamptz as started_at,
  '-infinity'::timestamptz as locked_until,
  '{}'::jsonb as kwargs,
  null::jsonb as tags
where false;

comment on view tasklib.claimed_tasks is
  'Row type: a claimed task with the data that its worker needs.';
