-- GetStepHistory returns the story of one step for people: its transitions in order.
-- name: GetStepHistory :many
select * from tasker.get_step_history(@step_uuid, @max_rows);

-- PageStepHistory returns a page of GetStepHistory, after the event with this sort key; nil is the first page.
-- name: PageStepHistory :many
select * from tasker.get_step_history(@step_uuid, @max_rows, sqlc.narg('after_sort_key'));

-- GetCurrentTaskTransition returns the transition that brought a task to its state, or no row.
-- name: GetCurrentTaskTransition :many
select * from tasker.get_current_task_transition(@task_uuid);

-- GetCurrentStepTransition returns the transition that brought a step to its state, or no row.
-- name: GetCurrentStepTransition :many
select * from tasker.get_current_step_transition(@step_uuid);

-- ListSteps returns the steps of a task by number, with states, attempts, times and results: all, or a page of them.
-- SqlFunctionExecutor's own ListSteps returns all.
-- name: ListSteps :many
select * from tasker.list_steps(@task_uuid, sqlc.narg('after_step_no'), sqlc.narg('limit'));

-- GetTask returns a task with its template, state, counters, times and context.
-- name: GetTask :one
select * from tasker.get_task(@task_uuid);

-- ListTasks returns the tasks that match every filter given, newest first; a filter that is left out is none.
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
  p_limit => sqlc.narg('limit'),
  p_parent_task_uuid => sqlc.narg('parent_task_uuid')
);

-- GetTaskHistory returns the story of a task for people: its events and its steps' in the order of time.
-- name: GetTaskHistory :many
select * from tasker.get_task_history(@task_uuid, @max_rows);

-- PageTaskHistory returns a page of GetTaskHistory, after the event with this step number, 0 for the task's own, and
-- sort key; nil is the first page.
-- name: PageTaskHistory :many
select * from tasker.get_task_history(@task_uuid, @max_rows, sqlc.narg('after_step_no'), sqlc.narg('after_sort_key'));

-- ListRunningSteps returns the steps that workers have, the one that has run longest first; a filter that is left out is none.
-- name: ListRunningSteps :many
select * from tasker.list_running_steps(p_namespace => sqlc.narg('namespace'), p_limit => sqlc.narg('limit'));
