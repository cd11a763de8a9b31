// Package answers names the answers of SQL functions that workers call.
package answers

// The answers to calls of durable functions; a step that is no longer the caller's is answered KeptStale or KeptCancelled.
const (
	KeptNow       = "kept"
	KeptBefore    = "known"
	KeptDiverged  = "diverged"
	KeptSuspended = "suspended"
	KeptEnded     = "ended"
	KeptContinued = "continued"
	KeptStale     = "stale"
	KeptCancelled = "cancelled"
)

// Answers of ClaimDeliveredSteps for steps that it does not claim.
const (
	// DeliveredGone says that the message is of no use any more: acknowledge it.
	DeliveredGone = "gone"
	// DeliveredPaused says that the step's namespace is paused: give the message back, to come again later.
	DeliveredPaused = "paused"
	// DeliveredLimited says that the step's limit has no place for it: give the message back, to come again later.
	DeliveredLimited = "limited"
	// DeliveredBusy says that another transaction holds the step, or its time has not come: give the message back.
	DeliveredBusy = "busy"
)
