-- ProcessTaskRequests creates the tasks that messages ask for and returns how many.
-- name: ProcessTaskRequests :one
select tasker.process_task_requests(@max_items);

-- CreateTask makes one task of a template, or finds the one that an equal request made.
-- name: CreateTask :one
select * from tasker.create_task(
  p_namespace => @namespace,
  p_name => @name,
  p_context => @context,
  p_version => sqlc.narg('version'),
  p_identity_key => sqlc.narg('identity_key'),
  p_task_uuid => sqlc.narg('task_uuid'),
  p_priority => sqlc.narg('priority'),
  p_tags => @tags::text[],
  p_initiator => sqlc.narg('initiator'),
  p_source_system => sqlc.narg('source_system'),
  p_reason => sqlc.narg('reason'),
  p_correlation_id => sqlc.narg('correlation_id'),
  p_parent_correlation_id => sqlc.narg('parent_correlation_id'),
  p_headers => @headers,
  p_start_at => sqlc.narg('start_at'),
  p_deferred => sqlc.narg('deferred'),
  p_deadline => sqlc.narg('deadline'),
  p_identity_ttl => sqlc.narg('identity_ttl'),
  p_identity_scope => sqlc.narg('identity_scope'),
  p_debounce_seconds => sqlc.narg('debounce_seconds'),
  p_debounce_longest_seconds => sqlc.narg('debounce_longest_seconds'),
  p_throttle_limit => sqlc.narg('throttle_limit'),
  p_throttle_seconds => sqlc.narg('throttle_seconds'),
  p_throttle_key => sqlc.narg('throttle_key')
);

-- StartTask makes one task of a template and claims its first steps. Use SqlFunctionExecutor's own StartTask.
-- name: StartTask :many
select * from tasker.start_task(
  p_namespace => @namespace,
  p_name => @name,
  p_worker_uuid => @worker_uuid,
  p_context => @context,
  p_handlers => @handlers::text[],
  p_limit => @max_steps,
  p_lease_seconds => sqlc.narg('lease_seconds'),
  p_version => sqlc.narg('version'),
  p_identity_key => sqlc.narg('identity_key'),
  p_task_uuid => sqlc.narg('task_uuid'),
  p_priority => sqlc.narg('priority'),
  p_tags => @tags::text[],
  p_initiator => sqlc.narg('initiator'),
  p_source_system => sqlc.narg('source_system'),
  p_reason => sqlc.narg('reason'),
  p_correlation_id => sqlc.narg('correlation_id'),
  p_parent_correlation_id => sqlc.narg('parent_correlation_id'),
  p_headers => @headers,
  p_start_at => sqlc.narg('start_at'),
  p_deferred => sqlc.narg('deferred'),
  p_deadline => sqlc.narg('deadline'),
  p_identity_ttl => sqlc.narg('identity_ttl'),
  p_identity_scope => sqlc.narg('identity_scope'),
  p_throttle_limit => sqlc.narg('throttle_limit'),
  p_throttle_seconds => sqlc.narg('throttle_seconds'),
  p_throttle_key => sqlc.narg('throttle_key')
);

-- CreateTasks makes a task for each context, all of one template, in a few statements.
-- name: CreateTasks :many
select * from tasker.create_tasks(
  p_namespace => @namespace,
  p_name => @name,
  p_contexts => @contexts::jsonb[],
  p_version => sqlc.narg('version'),
  p_identity_keys => @identity_keys::text[],
  p_task_uuids => @task_uuids::uuid[],
  p_priority => sqlc.narg('priority'),
  p_tags => @tags::text[],
  p_initiator => sqlc.narg('initiator'),
  p_source_system => sqlc.narg('source_system'),
  p_reason => sqlc.narg('reason'),
  p_correlation_id => sqlc.narg('correlation_id'),
  p_parent_correlation_id => sqlc.narg('parent_correlation_id'),
  p_headers => @headers,
  p_start_at => sqlc.narg('start_at'),
  p_deferred => sqlc.narg('deferred'),
  p_deadline => sqlc.narg('deadline'),
  p_identity_ttl => sqlc.narg('identity_ttl'),
  p_identity_scope => sqlc.narg('identity_scope'),
  p_throttle_limit => sqlc.narg('throttle_limit'),
  p_throttle_seconds => sqlc.narg('throttle_seconds'),
  p_throttle_key => sqlc.narg('throttle_key')
);
