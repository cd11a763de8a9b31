-- DetectCycle reports whether an edge between two steps would close a cycle.
-- name: DetectCycle :one
select tasker.detect_cycle(@from_step_uuid, @to_step_uuid);
