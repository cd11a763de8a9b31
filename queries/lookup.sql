-- FindTasksByShortID returns the tasks whose short id begins with these digits, newest first: at most 10 of the newest.
-- name: FindTasksByShortID :many
select * from tasker.find_tasks_by_short_id(@short_id);

-- FindTasksByKey returns the tasks that were created with an identity key, newest first; a filter that is left out is none.
-- name: FindTasksByKey :many
select * from tasker.find_tasks_by_key(
  p_identity_key => @identity_key,
  p_namespace => sqlc.narg('namespace'),
  p_name => sqlc.narg('name')
);

-- FindDLQEntriesByShortID returns the investigations whose short id begins with these digits, newest first.
-- name: FindDLQEntriesByShortID :many
select d::uuid from tasker.find_dlq_entries_by_short_id(@short_id) as d;
