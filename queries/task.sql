-- GetCurrentTaskState returns the state that a task is in, ErrNotFound if there is no such task.
-- name: GetCurrentTaskState :one
select tasker.get_current_task_state(@task_uuid);

-- TransitionTaskStateAtomic is compare and swap: it moves a task from one state to another and
-- returns true, or returns false with nothing changed if the task is in another state.
-- name: TransitionTaskStateAtomic :one
select tasker.transition_task_state_atomic(
  @task_uuid, @from_state, @to_state, sqlc.narg('processor_uuid'), @metadata
);

-- TaskCanComplete reports whether every step of a task is done.
-- name: TaskCanComplete :one
select tasker.task_can_complete(@task_uuid);

-- CheckTaskUUID returns a caller's own task UUID if a task may be created with it, else ErrInvalid.
-- name: CheckTaskUUID :one
select tasker.check_task_uuid(@task_uuid);

-- IsTaskUUID reports whether a UUID has the form of a task's.
-- name: IsTaskUUID :one
select tasker.is_task_uuid(@uuid);

-- TaskUUIDOf returns the UUID of the task that a step belongs to. It looks nothing up.
-- name: TaskUUIDOf :one
select tasker.task_uuid_of(@step_uuid);

-- ListTaskStates returns the states of a task with what each of them means.
-- name: ListTaskStates :many
select * from tasker.list_task_states();

-- ListTaskTransitions returns every transition that a task may make.
-- name: ListTaskTransitions :many
select * from tasker.list_task_transitions();

-- TaskStateIsTerminal reports whether a task in this state has ended.
-- name: TaskStateIsTerminal :one
select tasker.task_state_is_terminal(@state);

-- TaskStateRequiresOwnership reports whether a task in this state has an owner.
-- name: TaskStateRequiresOwnership :one
select tasker.task_state_requires_ownership(@state);

-- TaskStateIsActive reports whether a task in this state is being worked on.
-- name: TaskStateIsActive :one
select tasker.task_state_is_active(@state);

-- TaskStateIsWaiting reports whether a task in this state waits: for dependencies, a retry or an operator.
-- name: TaskStateIsWaiting :one
select tasker.task_state_is_waiting(@state);

-- TaskStateCanBeProcessed reports whether an orchestrator may pick up a task in this state.
-- name: TaskStateCanBeProcessed :one
select tasker.task_state_can_be_processed(@state);

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
  p_identity_ttl => sqlc.narg('identity_ttl')
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
  p_identity_ttl => sqlc.narg('identity_ttl')
);

-- GetTask returns a task with its template, state, counters, times and context.
-- name: GetTask :one
select * from tasker.get_task(@task_uuid);

-- ListTasks returns the tasks that match every filter given, newest first; nil is no filter.
-- name: ListTasks :many
select * from tasker.list_tasks(
  p_namespace => sqlc.narg('namespace'),
  p_name => sqlc.narg('name'),
  p_version => sqlc.narg('version'),
  p_state => sqlc.narg('state'),
  p_tags => @tags::text[],
  p_correlation_id => sqlc.narg('correlation_id'),
  p_requested_after => sqlc.narg('requested_after'),
  p_requested_before => sqlc.narg('requested_before'),
  p_before => sqlc.narg('before'),
  p_limit => sqlc.narg('limit')
);

-- GetTaskHistory returns the story of a task for people: its events and its steps' in the order of time.
-- name: GetTaskHistory :many
select * from tasker.get_task_history(@task_uuid, @max_rows);
