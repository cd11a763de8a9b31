-- GetTaskExecutionContext returns the progress of a task, whether the task moves, and the recommended action. It
-- returns ErrNotFound if the task does not exist.
-- name: GetTaskExecutionContext :one
select * from tasker.get_task_execution_context(@task_uuid);

-- GetTaskExecutionContexts returns the rows of GetTaskExecutionContext for many tasks. A task that does not exist has
-- no row.
-- name: GetTaskExecutionContexts :many
select * from tasker.get_task_execution_contexts(@task_uuids::uuid[]);

-- CalculateDependencyLevels returns each step of a task with the length of the longest path from a root to the step.
-- It returns ErrNotFound if the task does not exist.
-- name: CalculateDependencyLevels :many
select * from tasker.calculate_dependency_levels(@task_uuid);

-- CalculateStepDepth returns the length of the longest path from a root to a step. It returns ErrNotFound if the
-- step does not exist.
-- name: CalculateStepDepth :one
select tasker.calculate_step_depth(@step_uuid);

-- GetStepTransitiveDependencies returns the steps on which a step depends, directly or indirectly, nearest first. It
-- returns no rows for a root, and ErrNotFound if the step does not exist.
-- name: GetStepTransitiveDependencies :many
select * from tasker.get_step_transitive_dependencies(@step_uuid);

-- GetStepDAGRelationships returns each step of a task with its parents and children. It returns ErrNotFound
-- if the task does not exist.
-- name: GetStepDAGRelationships :many
select * from tasker.get_step_dag_relationships(@task_uuid);

-- GetStepHistory returns the transitions of one step in order, in a form for people.
-- name: GetStepHistory :many
select * from tasker.get_step_history(@step_uuid, @max_rows);

-- PageStepHistory returns a page of GetStepHistory. The page begins after the event with the given sort key. Nil
-- means the first page.
-- name: PageStepHistory :many
select * from tasker.get_step_history(@step_uuid, @max_rows, sqlc.narg('after_sort_key'));

-- GetCurrentTaskTransition returns the transition that brought a task to its state, or no row.
-- name: GetCurrentTaskTransition :many
select * from tasker.get_current_task_transition(@task_uuid);

-- GetCurrentStepTransition returns the transition that brought a step to its state, or no row.
-- name: GetCurrentStepTransition :many
select * from tasker.get_current_step_transition(@step_uuid);

-- ListSteps returns all steps of a task or a page of them, in the order of their numbers, with states, attempts, times
-- and results. SqlFunctionExecutor's own ListSteps returns all steps.
-- name: ListSteps :many
select * from tasker.list_steps(@task_uuid, sqlc.narg('after_step_no'), sqlc.narg('limit'));

-- GetTask returns a task with its template, state, counters, times and context.
-- name: GetTask :one
select * from tasker.get_task(@task_uuid);

-- ListTasks returns the tasks that match every filter given, newest first. An omitted filter matches all.
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
  p_after => sqlc.narg('after'),
  p_limit => sqlc.narg('limit'),
  p_parent_task_uuid => sqlc.narg('parent_task_uuid'),
  p_identity_key => sqlc.narg('identity_key'),
  p_initiator => sqlc.narg('initiator'),
  p_schedule => sqlc.narg('schedule'),
  p_handler => sqlc.narg('handler'),
  p_step => sqlc.narg('step'),
  p_error => sqlc.narg('error'),
  p_longer_than => sqlc.narg('longer_than'),
  p_attributes => @attributes::text[],
  p_sort => sqlc.narg('sort'),
  p_where => sqlc.narg('where')
);

-- GetTaskHistory returns the events of a task and of its steps in the order of time, in a form for people.
-- name: GetTaskHistory :many
select * from tasker.get_task_history(@task_uuid, @max_rows);

-- PageTaskHistory returns a page of GetTaskHistory. The page begins after the event with the given step number and
-- sort key. The step number of the task's own events is 0. Nil means the first page.
-- name: PageTaskHistory :many
select * from tasker.get_task_history(@task_uuid, @max_rows, sqlc.narg('after_step_no'), sqlc.narg('after_sort_key'));

-- ListRunningSteps returns the steps that workers are running. Steps that have run longest come first. An omitted
-- filter matches all.
-- name: ListRunningSteps :many
select * from tasker.list_running_steps(p_namespace => sqlc.narg('namespace'), p_limit => sqlc.narg('limit'));

-- FindTasksByShortID returns at most 10 tasks whose short id begins with these digits, newest first.
-- name: FindTasksByShortID :many
select * from tasker.find_tasks_by_short_id(@short_id);

-- FindTasksByKey returns the tasks that were created with an identity key, newest first. An omitted filter matches all.
-- name: FindTasksByKey :many
select * from tasker.find_tasks_by_key(
  p_identity_key => @identity_key,
  p_namespace => sqlc.narg('namespace'),
  p_name => sqlc.narg('name')
);

-- FindDLQEntriesByShortID returns the investigations whose short id begins with these digits, newest first.
-- name: FindDLQEntriesByShortID :many
select d::uuid from tasker.find_dlq_entries_by_short_id(@short_id) as d;

-- GetCurrentStepState returns the state that a step is in. It returns ErrNotFound if the step does not exist.
-- name: GetCurrentStepState :one
select tasker.get_current_step_state(@step_uuid);

-- ListStepStates returns all states that a step can have, with the meaning of each state.
-- name: ListStepStates :many
select * from tasker.list_step_states();

-- ListStepTransitions returns every transition that a step may make.
-- name: ListStepTransitions :many
select * from tasker.list_step_transitions();

-- GetCurrentTaskState returns the state that a task is in. It returns ErrNotFound if the task does not exist.
-- name: GetCurrentTaskState :one
select tasker.get_current_task_state(@task_uuid);

-- ListTaskStates returns all states that a task can have, with the meaning of each state.
-- name: ListTaskStates :many
select * from tasker.list_task_states();

-- ListTaskTransitions returns every transition that a task may make.
-- name: ListTaskTransitions :many
select * from tasker.list_task_transitions();
