-- ListWorkers returns the worker processes that were seen within a time. Without a time, it returns all workers. The
-- worker that was seen most recently comes first.
-- name: ListWorkers :many
select * from tasker.list_workers(sqlc.narg('seen_within'));

-- ListUnservedSteps returns the handlers that have ready steps but no running worker. No namespaces means all
-- namespaces.
-- name: ListUnservedSteps :many
select * from tasker.list_unserved_steps(@namespaces::text[]);
