-- AppendItems appends items to a stream of a running step.
-- name: AppendItems :one
select * from tasker.append_items(@step_uuid, @claim_no, @stream::text, @items, sqlc.narg('batch_no')::integer);

-- SetValue sets a value of a running step.
-- name: SetValue :one
select * from tasker.set_value(@step_uuid, @claim_no, @name::text, @value);

-- ReadStream returns a page of a step's stream. The page begins after the item with the given number.
-- name: ReadStream :many
select * from tasker.read_stream(@step_uuid, @stream::text, @after::bigint, @max_rows::integer, sqlc.narg('search')::text);

-- ListStreams returns a page of the values and streams of a task or a step. The page begins after the given step
-- number and name.
-- name: ListStreams :many
select * from tasker.list_streams(
  @uuid, sqlc.narg('name')::text, sqlc.narg('after_step_no')::integer, sqlc.narg('after_name')::text, @max_rows::integer
);

-- ListProgress returns the newest progress of each of these tasks.
-- name: ListProgress :many
select * from tasker.list_progress(@task_uuids::uuid[]);
