package executor

import "time"

// IdentityScope says how long an equal request finds a task.
type IdentityScope string

// The scopes of an identity.
const (
	// IdentityForever lasts as long as the task is kept, or for IdentityTTL if that is given.
	IdentityForever IdentityScope = "forever"
	// IdentityWhileOpen lasts until the task has ended.
	IdentityWhileOpen IdentityScope = "open"
	// IdentityForPeriod lasts for IdentityTTL.
	IdentityForPeriod IdentityScope = "period"
)

// TaskPolicy says which requests make a task. With the zero value each request that is no repeat makes a task. Spans are whole seconds.
type TaskPolicy struct {
	// IdentityScope of the request. Default: IdentityForever, or IdentityForPeriod if there is an IdentityTTL.
	IdentityScope IdentityScope
	// Debounce is the time between the last request with the same IdentityKey and the start of the task. Each request cancels the task of
	// the preceding request if that task has not started. Default: no debounce.
	Debounce time.Duration
	// DebounceLongest is the longest time between the first of these requests and the start of the task. Default: no limit.
	DebounceLongest time.Duration
	// ThrottleLimit tasks of the template may be created at once. After that, the same number may be created in each ThrottlePeriod, evenly
	// spread. ErrThrottled refuses further requests. Default: no throttle.
	ThrottleLimit int32
	// ThrottlePeriod is the period of ThrottleLimit.
	ThrottlePeriod time.Duration
	// ThrottleKey throttles the requests of each key separately. Default: one throttle for all requests.
	ThrottleKey string
	// ThrottleWait also creates the tasks above the throttle, and each starts when its turn comes. Default: requests above the throttle are
	// refused.
	ThrottleWait bool
}
