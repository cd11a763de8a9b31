-- SetLimit sets the bounds of a limit. They apply to each key separately. A nil or omitted bound does not
-- restrict. The call is idempotent.
-- name: SetLimit :one
select * from tasker.set_limit(
  p_namespace => @namespace,
  p_name => @name,
  p_concurrency => sqlc.narg('concurrency'),
  p_rate => sqlc.narg('rate'),
  p_per_seconds => sqlc.narg('per_seconds'),
  p_burst => sqlc.narg('burst'),
  p_actor => sqlc.narg('act_actor'),
  p_reason => sqlc.narg('act_reason')
);

-- DropLimit removes a limit and returns true. If templates or steps name the limit, it removes only the bounds of
-- the limit and of its keys, and returns false. It returns ErrNotFound if the limit does not exist.
-- name: DropLimit :one
select tasker.drop_limit(@namespace, @name, p_actor => sqlc.narg('act_actor'), p_reason => sqlc.narg('act_reason'));

-- SetLimitKey sets the bounds of one key of a limit. They replace the bounds of the limit for this key. A nil or
-- omitted bound does not restrict. It returns ErrNotFound if the limit does not exist. The call is idempotent.
-- name: SetLimitKey :one
select * from tasker.set_limit_key(
  p_namespace => @namespace,
  p_name => @name,
  p_limit_key => @limit_key,
  p_concurrency => sqlc.narg('concurrency'),
  p_rate => sqlc.narg('rate'),
  p_per_seconds => sqlc.narg('per_seconds'),
  p_burst => sqlc.narg('burst'),
  p_actor => sqlc.narg('act_actor'),
  p_reason => sqlc.narg('act_reason')
);

-- DropLimitKey removes the bounds that were set for one key of a limit. It returns true if the key had such
-- bounds, and ErrNotFound if the limit does not exist.
-- name: DropLimitKey :one
select tasker.drop_limit_key(@namespace, @name, @limit_key, p_actor => sqlc.narg('act_actor'), p_reason => sqlc.narg('act_reason'));

-- ListLimits returns the limits of a namespace by name. Without a namespace, it returns the limits of all
-- namespaces.
-- name: ListLimits :many
select * from tasker.list_limits(sqlc.narg('namespace'));

-- ListLimitKeys returns the keys of a limit that have waiting or running steps, or bounds of their own. Keys with
-- the most waiting steps come first. It returns ErrNotFound if the limit does not exist.
-- name: ListLimitKeys :many
select * from tasker.list_limit_keys(@namespace, @name, @max_rows);
