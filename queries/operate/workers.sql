-- ListWorkers returns worker processes, the worker that was seen last first. Without a time, it returns all
-- workers.
-- name: ListWorkers :many
select * from tasker.list_workers(sqlc.narg('seen_within'));

-- ListUnservedSteps returns the handlers that have ready steps and that no running worker has. No namespaces means all
-- namespaces.
-- name: ListUnservedSteps :many
select * from tasker.list_unserved_steps(@namespaces::text[]);
