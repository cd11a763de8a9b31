create or replace view tasker.feed_finds as
select
  '-infinity'::timestamptz as created_at,
  '00000000-0000-0000-0000-000000000000'::uuid as task_uuid,
  0::integer as step_no,
  0::integer as sort_key,
  ''::text as event,
  null::tasker.step_state as step_from,
  null::tasker.step_state as step_to,
  null::tasker.task_state as task_from,
  null::tasker.task_state as task_to,
  null::integer as claim_no,
  null::bigint as execution_time_ms,
  null::uuid as worker_uuid,
  null::text as actor,
  null::text as reason,
  null::jsonb as metadata,
  false::boolean as has_more
where false;

comment on view tasker.feed_finds is
  'Row type: a transition that the feed found in a log and lists until a reader reads it. The first four columns are its key (tasker.feed_keys).';
comment on column tasker.feed_finds.has_more is
  'Whether long values of actor, reason or metadata were left out here. They are read from the log when the event is delivered.';
