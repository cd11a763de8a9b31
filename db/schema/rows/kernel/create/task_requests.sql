create or replace view tasker.task_requests as
select
  null::text as namespace,
  null::text as name,
  null::jsonb[] as contexts,
  null::text as version,
  null::text[] as identity_keys,
  null::uuid[] as task_uuids,
  null::integer as priority,
  null::text[] as tags,
  null::text as initiator,
  null::text as source_system,
  null::text as reason,
  null::uuid as correlation_id,
  null::uuid as parent_correlation_id,
  null::jsonb as headers,
  null::timestamptz as start_at,
  null::boolean as deferred,
  null::timestamptz as deadline,
  null::interval as identity_ttl,
  null::text as identity_scope,
  null::integer as debounce_seconds,
  null::integer as debounce_longest_seconds,
  null::integer as throttle_limit,
  null::integer as throttle_seconds,
  null::text as throttle_key,
  null::uuid as worker_uuid,
  null::text[] as handlers,
  null::integer as claim_limit,
  null::integer as lease_seconds,
  null::text as tick,
  null::text[] as creator_namespaces,
  null::bytea as debounce_hash,
  null::timestamptz as debounced_since,
  null::boolean as throttle_waits
where false;

comment on view tasker.task_requests is
  'Row type: a request for tasks of one template, with the arguments of tasker.create_tasks and tasker.start_task.';
comment on column tasker.task_requests.contexts is
  'One context for each task. If identity_keys and task_uuids are given, they have as many elements.';
comment on column tasker.task_requests.worker_uuid is
  'The worker that gets the first steps at once: at most claim_limit of the steps whose handlers it has. Null for none.';
comment on column tasker.task_requests.tick is
  'The identity of the one task, whatever the template''s strategy: a schedule and a time, or a debounced request.';
comment on column tasker.task_requests.creator_namespaces is
  'The namespaces in which a task with a tick may start tasks, whatever namespaces the session is bound to.';
comment on column tasker.task_requests.debounce_hash is
  'The debounced key, and since when its requests wait. The function tasker.debounce_request leaves this for tasker.note_debounced.';
comment on column tasker.task_requests.throttle_waits is
  'Whether tasks above the throttle start later instead of being refused.';
