-- ListAdministration returns the changes of objects that belong to no task, the newest first. Such objects are
-- settings, bindings, tokens, templates, limits, schedules, subscriptions, namespaces, partitions and queues. The
-- parameters kind and object select entries. The parameter before is the EntryNo of the last entry of the previous
-- page.
-- name: ListAdministration :many
select * from tasker.list_administration(sqlc.narg('kind'), sqlc.narg('object'), sqlc.narg('before')::bigint, @max_rows);

-- SetSetting changes a setting and returns its previous value. If the value is nil, the setting gets its default.
-- name: SetSetting :one
select tasker.set_setting(@name, sqlc.narg('value'), p_actor => sqlc.narg('act_actor'), p_reason => sqlc.narg('act_reason'));
