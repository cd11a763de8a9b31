-- ListWorkers returns worker processes, the one seen last first, of all times if it is left out.
-- name: ListWorkers :many
select * from tasker.list_workers(sqlc.narg('seen_within'));

-- ListUnservedSteps returns the handlers for which steps are ready and that no running worker has; no namespaces are all of them.
-- name: ListUnservedSteps :many
select * from tasker.list_unserved_steps(@namespaces::text[]);
