-- ExplainStep returns why a step is not running, in words and as data. It returns ErrNotFound if the step
-- does not exist.
-- name: ExplainStep :one
select * from tasker.explain_step(@step_uuid);
