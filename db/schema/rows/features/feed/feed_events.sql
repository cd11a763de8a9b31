create or replace view tasker.feed_events as
select
  ''::text as place,
  '00000000-0000-0000-0000-000000000000'::uuid as event_uuid,
  ''::text as kind,
  ''::text as event,
  '-infinity'::timestamptz as happened_at,
  ''::text as namespace,
  ''::text as task_name,
  ''::text as task_version,
  '00000000-0000-0000-0000-000000000000'::uuid as task_uuid,
  null::uuid as correlation_id,
  null::uuid as workflow_step_uuid,
  null::text as step_name,
  0::integer as sort_key,
  null::text as from_state,
  ''::text as to_state,
  null::integer as claim_no,
  null::bigint as execution_time_ms,
  null::uuid as worker_uuid,
  null::text as actor,
  null::text as reason,
  '{}'::jsonb as metadata
where false;

comment on view tasker.feed_events is
  'Row type: a transition of a task or of a step, as subscribers get it.';
comment on column tasker.feed_events.place is
  'The position in the feed, an opaque text to pass to tasker.acknowledge_events.';
comment on column tasker.feed_events.event_uuid is
  'The UUID of the transition. It stays the same if the transition is delivered several times.';
comment on column tasker.feed_events.kind is
  '"task" or "step".';
comment on column tasker.feed_events.sort_key is
  'The number of the transition among the transitions of its task or of its step. The creation has number 0.';
