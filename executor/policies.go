package executor

import "time"

// IdentityScope says how long an equal request finds a task.
type IdentityScope string

// The scopes of an identity.
const (
	// IdentityForever lets an equal request find the task while the database keeps the task, or for IdentityTTL if it is set.
	IdentityForever IdentityScope = "forever"
	// IdentityWhileOpen lets an equal request find the task until the task has ended.
	IdentityWhileOpen IdentityScope = "open"
	// IdentityForPeriod lets an equal request find the task for IdentityTTL.
	IdentityForPeriod IdentityScope = "period"
)

// TaskPolicy says which requests create a task. With the zero value each request that does not repeat another request creates a task.
// Durations are whole seconds.
type TaskPolicy struct {
	// IdentityScope of the request. Default: IdentityForever, or IdentityForPeriod if there is an IdentityTTL.
	IdentityScope IdentityScope
	// Debounce is the time between the last request with the same IdentityKey and the start of the task. Each request cancels the task of
	// the preceding request if that task has not started. Default: no debounce.
	Debounce time.Duration
	// DebounceLongest is the longest time between the first of these requests and the start of the task. Default: no limit.
	DebounceLongest time.Duration
	// ThrottleLimit is how many tasks of the template may be created at once. After that, the same number may be created in each
	// ThrottlePeriod, evenly spread. Further requests are refused with ErrThrottled. Default: no throttle.
	ThrottleLimit int32
	// ThrottlePeriod is the period of ThrottleLimit.
	ThrottlePeriod time.Duration
	// ThrottleKey throttles the requests of each key separately. Default: one throttle for all requests.
	ThrottleKey string
	// ThrottleWait accepts requests above the limit, too: their tasks are created at once and start later, as the limit allows. Default:
	// requests above the limit are refused.
	ThrottleWait bool
}
