-- SetLimit sets the bounds of a limit, for each key. A nil or omitted bound does not restrict. Idempotent.
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

-- DropLimit removes the bounds of a limit. It returns true if the limit is gone, and false if templates name the
-- limit, so that it stays without bounds. It returns ErrNotFound if the limit does not exist.
-- name: DropLimit :one
select tasker.drop_limit(@namespace, @name, p_actor => sqlc.narg('act_actor'), p_reason => sqlc.narg('act_reason'));

-- SetLimitKey sets the bounds of one key of a limit, in place of the bounds of the limit. A nil or omitted bound does not restrict. It
-- returns ErrNotFound if the limit does not exist. Idempotent.
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

-- DropLimitKey removes the bounds that one key of a limit has of its own. It returns true if the key had bounds, and ErrNotFound if
-- the limit does not exist.
-- name: DropLimitKey :one
select tasker.drop_limit_key(@namespace, @name, @limit_key, p_actor => sqlc.narg('act_actor'), p_reason => sqlc.narg('act_reason'));

-- ListLimits returns the limits of a namespace by name. Without a namespace, it returns the limits of all
-- namespaces.
-- name: ListLimits :many
select * from tasker.list_limits(sqlc.narg('namespace'));

-- ListLimitKeys returns the keys of a limit with steps that wait or run, or with bounds of their own, the longest lines first. It returns
-- ErrNotFound if the limit does not exist.
-- name: ListLimitKeys :many
select * from tasker.list_limit_keys(@namespace, @name, @max_rows);
