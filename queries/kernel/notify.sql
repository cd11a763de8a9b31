-- MarkSleeping notes that a client sleeps until a notification wakes it, on channels that it listens to; false if
-- notifications are off on one of them. Commit it, call OpenWriters, query once more, then sleep. 30 seconds if they are left out.
-- name: MarkSleeping :one
select tasker.mark_sleeping(@sleeper_uuid, @channels::text[], sqlc.narg('seconds'));

-- MarkAwake takes back what MarkSleeping noted; true if there was a mark.
-- name: MarkAwake :one
select tasker.mark_awake(@sleeper_uuid, @channels::text[]);

-- OpenWriters returns the transactions that may end without notifying a client marked before the call;
-- given an earlier answer, those of it that are still running.
-- name: OpenWriters :one
select tasker.open_writers(@writers::bigint[])::bigint[];
