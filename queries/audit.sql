-- TransitionUUID returns the UUID of a transition in a task's history, or in a step's if step_no is
-- above 0. It looks nothing up.
-- name: TransitionUUID :one
select tasker.transition_uuid(@task_uuid, @step_no, @sort_key);
