-- KeepStepResult keeps the result of a call of a durable function. Use SqlFunctionExecutor's own KeepStepResult.
-- name: KeepStepResult :one
select * from tasker.keep_step_result(
  @step_uuid, @claim_no, @position::integer, @name::text, @occurrence::integer, sqlc.narg('value'), sqlc.narg('error')
);

-- SuspendStep suspends a running step while its function waits. Use SqlFunctionExecutor's own SuspendStep.
-- name: SuspendStep :one
select * from tasker.suspend_step(
  @step_uuid, @claim_no, @position::integer, @name::text, @occurrence::integer, @wait
);

-- SnoozeStep suspends a running step whose handler asks to run again later. Use SqlFunctionExecutor's own SnoozeStep.
-- name: SnoozeStep :one
select * from tasker.snooze_step(@step_uuid, @claim_no, @seconds, sqlc.narg('reason'));

-- DivergeStep suspends a running step whose function diverged from its kept results. Use SqlFunctionExecutor's own
-- DivergeStep.
-- name: DivergeStep :one
select * from tasker.diverge_step(@step_uuid, @claim_no, @position::integer, @name::text);

-- ContinueStep lets a function begin again with a new state. Use SqlFunctionExecutor's own ContinueStep.
-- name: ContinueStep :one
select * from tasker.continue_step(@step_uuid, @claim_no, @state, sqlc.narg('round')::integer);

-- GetKeptResults returns a page of the results that the function of a step has kept. The page begins after the
-- given position.
-- name: GetKeptResults :many
select * from tasker.get_kept_results(@step_uuid, @after::integer, @max_rows);
