package otelworker

// The keys that the tests look for.
const (
	AttemptKey     = attemptKey
	CorrelationKey = correlationKey
	OutcomeKey     = outcomeKey
	PermanentKey   = permanentKey
	RetryableKey   = retryableKey
)
