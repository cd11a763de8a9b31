-- MarkSleeping records that a client sleeps until a notification on one of these channels wakes it. The client must
-- already listen to the channels. It returns false if notifications are off on one of the channels. Commit the call,
-- call OpenWriters, query once more, then sleep. The mark holds for 30 seconds by default.
-- name: MarkSleeping :one
select tasker.mark_sleeping(@sleeper_uuid, @channels::text[], sqlc.narg('seconds'));

-- MarkAwake deletes the mark of MarkSleeping. It returns true if there was a mark.
-- name: MarkAwake :one
select tasker.mark_awake(@sleeper_uuid, @channels::text[]);

-- OpenWriters returns the transactions that may end without notifying a client that was marked before the
-- call. If writers is the answer of an earlier call, it returns only its transactions that still run.
-- name: OpenWriters :one
select tasker.open_writers(@writers::bigint[])::bigint[];
