-- Subscribe creates a subscription to the feed, or gives a subscription a new filter and target. An existing
-- subscription keeps its place.
-- name: Subscribe :one
select * from tasker.subscribe(
  p_subscription => @subscription,
  p_filter => @filter,
  p_target => sqlc.narg('target'),
  p_since => sqlc.narg('since'),
  p_actor => sqlc.narg('act_actor'),
  p_reason => sqlc.narg('act_reason')
);

-- Unsubscribe ends a subscription, and reports whether the subscription existed.
-- name: Unsubscribe :one
select tasker.unsubscribe(@subscription, p_actor => sqlc.narg('act_actor'), p_reason => sqlc.narg('act_reason'));

-- ListSubscriptions returns the subscriptions to the feed, or only the named subscription. It returns
-- ErrNotFound if the named subscription does not exist.
-- name: ListSubscriptions :many
select * from tasker.list_subscriptions(sqlc.narg('subscription'));

-- ReplayEvents sets a subscription back to a time in the past.
-- name: ReplayEvents :one
select * from tasker.replay_events(@subscription, @since, p_actor => sqlc.narg('act_actor'), p_reason => sqlc.narg('act_reason'));

-- ReadEvents returns the next events of a subscription. It returns these events again until they are
-- acknowledged. It returns ErrConflict while another process reads the subscription.
-- name: ReadEvents :many
select * from tasker.read_events(@subscription, @reader_uuid, @max_rows, @lease_seconds);

-- AcknowledgeEvents records that the events up to a place in the feed were handled. It returns false if the call
-- changes nothing.
-- name: AcknowledgeEvents :one
select tasker.acknowledge_events(@subscription, @reader_uuid, @place, @events);

-- LeaveSubscription ends a reader's lease.
-- name: LeaveSubscription :one
select tasker.leave_subscription(@subscription, @reader_uuid);

-- FailDelivery records that an event could not be delivered. It returns the number of consecutive failures.
-- name: FailDelivery :one
select tasker.fail_delivery(@subscription, @reader_uuid, @error, @retry_seconds);

-- BuryEvent gives up an event that cannot be delivered. The subscription continues with the next event.
-- name: BuryEvent :one
select tasker.bury_event(@subscription, @reader_uuid, @place, @event_uuid, @event, @error);

-- ListDeadEvents returns the events of a subscription that were given up, the newest first.
-- name: ListDeadEvents :many
select * from tasker.list_dead_events(@subscription, @max_rows);
