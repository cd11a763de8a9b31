-- DetectCycle reports whether an edge between two steps would close a cycle.
-- name: DetectCycle :one
select tasker.detect_cycle(@from_step_uuid, @to_step_uuid);

-- AddStepEdge makes one step depend on another; false if there already was an edge between them.
-- name: AddStepEdge :one
select tasker.add_step_edge(@from_step_uuid, @to_step_uuid, sqlc.narg('name'), sqlc.narg('condition'));

-- AddSteps gives a running task more steps, written as in a template.
-- name: AddSteps :many
select * from tasker.add_steps(@task_uuid, @steps);

-- CalculateDependencyLevels returns each step of a task with the longest way to it from a root.
-- ErrNotFound if there is no such task.
-- name: CalculateDependencyLevels :many
select * from tasker.calculate_dependency_levels(@task_uuid);

-- CalculateStepDepth returns the longest way to a step from a root. ErrNotFound if there is no such
-- step.
-- name: CalculateStepDepth :one
select tasker.calculate_step_depth(@step_uuid);

-- GetStepTransitiveDependencies returns the steps that a step depends on, directly or not, nearest
-- first; none for a root. ErrNotFound if there is no such step.
-- name: GetStepTransitiveDependencies :many
select * from tasker.get_step_transitive_dependencies(@step_uuid);

-- GetStepDAGRelationships returns each step of a task with its parents and children. ErrNotFound if
-- there is no such task.
-- name: GetStepDAGRelationships :many
select * from tasker.get_step_dag_relationships(@task_uuid);
