package executor

import "time"

// IdentityScope says how long an equal request finds a task.
type IdentityScope string

// The scopes of an identity.
const (
	// IdentityForever is as long as the task is kept, or IdentityTTL if that is given.
	IdentityForever IdentityScope = "forever"
	// IdentityWhileOpen is until the task has ended.
	IdentityWhileOpen IdentityScope = "open"
	// IdentityForPeriod is IdentityTTL.
	IdentityForPeriod IdentityScope = "period"
)

// TaskPolicy says which requests make a task. The zero value makes one for each request that is no repeat. Spans are whole
// seconds.
type TaskPolicy struct {
	// IdentityScope of the request. Default: IdentityForever, or IdentityForPeriod if there is an IdentityTTL.
	IdentityScope IdentityScope
	// Debounce starts the task so long after the last request with the same IdentityKey: each request replaces the one
	// before it that has not started, whose task is cancelled. Default: no debounce.
	Debounce time.Duration
	// DebounceLongest is how long after the first of the requests the task starts at the latest. Default: no limit.
	DebounceLongest time.Duration
	// ThrottleLimit tasks of the template may be created at once, and one more each share of ThrottlePeriod. ErrThrottled
	// refuses more. Default: no throttle.
	ThrottleLimit int32
	// ThrottlePeriod belongs to ThrottleLimit.
	ThrottlePeriod time.Duration
	// ThrottleKey throttles the requests of each key by themselves. Default: all requests together.
	ThrottleKey string
	// ThrottleWait creates the tasks above the throttle, too: each starts when its turn comes. Default: they are refused.
	ThrottleWait bool
}
