create or replace view tasker.signal_details as
select
  '00000000-0000-0000-0000-000000000000'::uuid as task_uuid,
  0::integer as signal_no,
  ''::text as name,
  '{}'::jsonb as payload,
  null::text as idempotency_key,
  ''::text as sent_by,
  '-infinity'::timestamptz as sent_at,
  false::boolean as consumed,
  null::uuid as step_uuid,
  null::text as step_name,
  null::timestamptz as consumed_at
where false;

comment on view tasker.signal_details is
  'Row type: a signal that was sent to a task, and the step that took it.';
