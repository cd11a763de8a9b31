-- RerunStep lets a step and all steps that depend on it run again. If results are given, the step gets these results,
-- and only the dependent steps run again. It returns false if the step is about to run anyway or already has this
-- result.
-- name: RerunStep :one
select tasker.rerun_step(@step_uuid, @reason, sqlc.narg('actor'), sqlc.narg('results'));

-- PreviewRerun lists the steps that RerunStep would let run again or replace.
-- name: PreviewRerun :many
select * from tasker.preview_rerun(@step_uuid);
