-- FireDueTimers fires due timers and returns how many it fired.
-- name: FireDueTimers :one
select tasker.fire_due_timers(@max_items);

-- NextDueAt returns when work is next due, or nil if no work will be due. No namespaces means all namespaces.
-- name: NextDueAt :one
select * from tasker.next_due_at(@namespaces::text[], @orchestrator);

-- NextLaterAt returns the earliest time at which work that is not due yet becomes due, or nil if there is no such work. No
-- namespaces means all namespaces.
-- name: NextLaterAt :one
select * from tasker.next_due_at(@namespaces::text[], false, true);
