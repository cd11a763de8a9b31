create or replace view tasker.stream_details as
select
  '00000000-0000-0000-0000-000000000000'::uuid as task_uuid,
  '00000000-0000-0000-0000-000000000000'::uuid as step_uuid,
  0::integer as step_no,
  ''::text as step_name,
  ''::text as name,
  null::jsonb as value,
  0::bigint as first_no,
  0::bigint as last_no,
  0::bigint as bytes,
  0::integer as attempt,
  '-infinity'::timestamptz as changed_at
where false;

comment on view tasker.stream_details is
  'Row type: a value or a stream of a step.';
comment on column tasker.stream_details.value is
  'The current value. Null for a stream.';
comment on column tasker.stream_details.first_no is
  'The number of the oldest kept item. It is above 1 if old items of the stream "log" were deleted.';
comment on column tasker.stream_details.last_no is
  'The number of the newest item of a stream, or the number of changes of a value.';
comment on column tasker.stream_details.attempt is
  'The number of the step''s attempt that made the newest change.';
