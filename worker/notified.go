package worker

import (
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgconn"
)

// stepsCancelled is the channel on which the engine says that running steps of a worker should stop. The payload is the UUID of the worker.
const stepsCancelled = "tasker_cancelled"

// hear takes a notification, or nil if notifications may have been missed. After a cancellation the worker renews all leases at once, and
// the answers say which steps were cancelled.
func (r *run) hear(n *pgconn.Notification) {
	if n == nil || n.Channel != stepsCancelled {
		r.ear.hear(n)
		return
	}
	id, err := uuid.Parse(n.Payload)
	if err != nil || id != r.courier && !slices.Contains(r.uuids, id) {
		return
	}
	select {
	case r.cancelled <- struct{}{}:
	default: // A pending renewal finds this cancellation, too.
	}
}
