-- CreateSelection stores a set of tasks, steps or dead letters: the rows that match the filters now, or the rows that ids
-- names.
-- name: CreateSelection :one
select * from tasker.create_selection(@kind, sqlc.narg('filters'), sqlc.narg('ids')::uuid[], sqlc.narg('limit'), sqlc.narg('actor'), sqlc.narg('digest'));

-- PreviewSelection returns the entries that CreateSelection would store now, with a digest of the entries.
-- name: PreviewSelection :one
select * from tasker.preview_selection(@kind, sqlc.narg('filters'), sqlc.narg('ids')::uuid[], sqlc.narg('limit'));

-- GetSelection returns a selection, or ErrNotFound if it does not exist.
-- name: GetSelection :one
select * from tasker.get_selection(@selection_uuid);

-- ListSelectionEntries returns a page of the entries of a selection, in the order in which a mass action takes them.
-- name: ListSelectionEntries :many
select * from tasker.list_selection_entries(@selection_uuid, sqlc.narg('state'), sqlc.narg('after'), sqlc.narg('limit'));
