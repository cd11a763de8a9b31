-- CreateTask creates one task of a template. If an equal request created a task before, it returns that task.
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
  p_throttle_key => sqlc.narg('throttle_key'),
  p_throttle_wait => sqlc.narg('throttle_wait')
);

-- StartTask creates one task of a template and claims its first steps. Use SqlFunctionExecutor's own
-- StartTask.
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

-- CreateTasks creates tasks of one template, one task for each context, in a few statements.
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
  p_throttle_key => sqlc.narg('throttle_key'),
  p_throttle_wait => sqlc.narg('throttle_wait')
);

-- AddStepEdge makes one step depend on another. It returns false if an edge between the two steps existed
-- before.
-- name: AddStepEdge :one
select tasker.add_step_edge(@from_step_uuid, @to_step_uuid, sqlc.narg('name'), sqlc.narg('condition'));

-- AddSteps adds steps, written as in a template, to a running task.
-- name: AddSteps :many
select * from tasker.add_steps(@task_uuid, @steps);

-- CheckTaskUUID returns the given UUID if a task may be created with this UUID. Otherwise it returns ErrInvalid.
-- name: CheckTaskUUID :one
select tasker.check_task_uuid(@task_uuid);

-- RegisterNamespace ensures that a namespace exists and returns it. An omitted value does not change. Values of
-- notify are "always", "asleep", "off" and "default".
-- name: RegisterNamespace :one
select * from tasker.register_namespace(
  @name, sqlc.narg('description'), sqlc.narg('transport'), sqlc.narg('priority_modifier'),
  sqlc.narg('notify'),
  p_actor => sqlc.narg('act_actor'),
  p_reason => sqlc.narg('act_reason')
);

-- RegisterTaskTemplate registers a version of a template. In the returned row, Created is false if the same
-- content was registered before. ErrInvalid names the wrong field. ErrConflict names the differences from the
-- content that is registered under this version.
-- name: RegisterTaskTemplate :one
select * from tasker.register_task_template(@template, p_actor => sqlc.narg('act_actor'), p_reason => sqlc.narg('act_reason'));
