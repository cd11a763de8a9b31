-- ListAdministration returns what has changed that is not a task's, the newest first: settings, bindings, tokens, templates, limits,
-- schedules, subscriptions, namespaces, partitions, queues. kind and object select, before is the EntryNo to go on from.
-- name: ListAdministration :many
select * from tasker.list_administration(sqlc.narg('kind'), sqlc.narg('object'), sqlc.narg('before')::bigint, @max_rows);

-- SetSetting changes a setting, to its default if the value is nil, and returns the value that it had.
-- name: SetSetting :one
select tasker.set_setting(@name, sqlc.narg('value'), p_actor => sqlc.narg('act_actor'), p_reason => sqlc.narg('act_reason'));
