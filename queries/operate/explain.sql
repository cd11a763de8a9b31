-- ExplainStep returns why a step is not running, in words and as data. ErrNotFound if there is no such
-- step.
-- name: ExplainStep :one
select * from tasker.explain_step(@step_uuid);
