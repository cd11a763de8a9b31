-- EmitEvent emits an event to all steps of a namespace that wait for it.
-- name: EmitEvent :one
select * from tasker.emit_event(@namespace::text, @name::text, @key::text, @payload, sqlc.narg('idempotency_key'));

-- EmitEvents emits events to all steps of a namespace that wait for them, all or none.
-- name: EmitEvents :many
select * from tasker.emit_events(
  @namespace::text, @names::text[], @keys::text[], @payloads::jsonb[], @idempotency_keys::text[]
);

-- GetEvent returns a kept event, and how many steps have taken it.
-- name: GetEvent :one
select * from tasker.get_event(@event_uuid);

-- GetBroadcastHealth returns three numbers for each namespace: the kept events, the undelivered events, and the
-- events that steps wait for.
-- name: GetBroadcastHealth :many
select * from tasker.get_broadcast_health();

-- ListEvents returns the kept events, newest first.
-- name: ListEvents :many
select * from tasker.list_events(
  sqlc.narg('namespace'), sqlc.narg('name'), sqlc.narg('key'), sqlc.narg('before_at'), sqlc.narg('before_uuid'),
  @limit_count::integer
);
