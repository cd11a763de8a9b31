package tasklib

import (
	"encoding/json"
	"errors"
	"time"
)

// Options apply to all tasks of a name. An option that is not set comes from the client's [Config], or keeps its value in the database.
type Options struct {
	// Description for people.
	Description string
	// MaxRetries after the first run, [NoRetries] for none.
	MaxRetries int
	// Timeout of a run, whole seconds.
	Timeout time.Duration
	// BaseRetryDelay before the first retry.
	BaseRetryDelay time.Duration
	// RetryBackoffMultiplier of each further retry's delay.
	RetryBackoffMultiplier float64
	// KeepCompleted is how long completed and cancelled tasks are kept, whole seconds. Default: forever.
	KeepCompleted time.Duration
	// KeepFailed is how long failed tasks are kept, whole seconds. Default: forever.
	KeepFailed time.Duration
	// ConcurrencyLimit is how many tasks of the name run at once, in all workers together. Default: no limit.
	ConcurrencyLimit int
	// KeyConcurrencyLimit is how many tasks of one [SubmitOptions].LimitKey run at once, in all workers together. Default: no limit.
	KeyConcurrencyLimit int
	// KeyRateLimit is how many tasks of one [SubmitOptions].LimitKey are claimed per KeyRatePeriod, by all workers together. Default: no limit.
	KeyRateLimit  int
	KeyRatePeriod time.Duration
	// RateLimit is how many tasks of the name are claimed per RatePeriod, by all workers together. Default: no limit.
	RateLimit  int
	RatePeriod time.Duration
	// BreakerFailures is how many failures in a row stop all workers from claiming tasks of the name for BreakerPause. After the pause the
	// workers try one task at a time until a task succeeds. Default: never.
	BreakerFailures int
	BreakerPause    time.Duration
	// Encrypted stores arguments, results and errors encrypted by the client's Codec. [Task.Get] decrypts them.
	Encrypted bool
}

// encode returns the options that are set, in the form that register_task takes.
func (o Options) encode(defaults Config) (json.RawMessage, error) {
	set := map[string]any{}
	if o.Description != "" {
		set["description"] = o.Description
	}
	if retries := first(o.MaxRetries, defaults.MaxRetries); retries != 0 {
		set["max_retries"] = max(retries, 0)
	}
	for option, d := range map[string]time.Duration{
		"timeout_seconds":       first(o.Timeout, defaults.DefaultTaskTimeout),
		"completed_ttl_seconds": o.KeepCompleted,
		"failed_ttl_seconds":    o.KeepFailed,
	} {
		if d%time.Second != 0 {
			return nil, errors.New(option + " is not a whole number of seconds: " + d.String())
		}
		if d != 0 {
			set[option] = int64(d / time.Second)
		}
	}
	for option, d := range map[string]time.Duration{
		"base_retry_delay_seconds": first(o.BaseRetryDelay, defaults.BaseRetryDelay),
		"rate_period_seconds":      o.RatePeriod,
		"key_rate_period_seconds":  o.KeyRatePeriod,
		"breaker_seconds":          o.BreakerPause,
	} {
		if d != 0 {
			set[option] = d.Seconds()
		}
	}
	for option, n := range map[string]int{
		"concurrency_limit":     o.ConcurrencyLimit,
		"key_concurrency_limit": o.KeyConcurrencyLimit,
		"key_rate_limit":        o.KeyRateLimit,
		"rate_limit":            o.RateLimit,
		"breaker_failures":      o.BreakerFailures,
	} {
		if n != 0 {
			set[option] = n
		}
	}
	if m := first(o.RetryBackoffMultiplier, defaults.RetryBackoffMultiplier); m != 0 {
		set["retry_backoff_multiplier"] = m
	}
	return json.Marshal(set)
}

// first returns the first value that is not zero.
func first[T comparable](values ...T) (zero T) {
	for _, v := range values {
		if v != zero {
			return v
		}
	}
	return zero
}
