-- FireDueTimers fires due timers and returns how many it fired.
-- name: FireDueTimers :one
select tasker.fire_due_timers(@max_items);

-- NextDueAt returns when there is something to do next, nil if nothing is due ever. No namespaces are all of them.
-- name: NextDueAt :one
select * from tasker.next_due_at(@namespaces::text[], @orchestrator);

-- NextLaterAt returns when something will be due that is not due yet, nil if nothing will. No namespaces are all of them.
-- name: NextLaterAt :one
select * from tasker.next_due_at(@namespaces::text[], false, true);
