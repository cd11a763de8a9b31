-- RerunStep lets a step and all that depend on it run again, or only those if it gets another result; false if it is to run anyway.
-- name: RerunStep :one
select tasker.rerun_step(@step_uuid, @reason, sqlc.narg('actor'), sqlc.narg('results'));

-- PreviewRerun lists the steps that RerunStep would let run again or replace.
-- name: PreviewRerun :many
select * from tasker.preview_rerun(@step_uuid);
