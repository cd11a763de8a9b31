package ui

// look is how a state is shown: by a colour, and by a shape with a word for people who do not see the colour.
type look struct{ Class, Icon string }

var looks = map[string]look{
	// Tasks.
	"initializing":             {"active", "ready"},
	"enqueuing_steps":          {"active", "ready"},
	"steps_in_process":         {"active", "running"},
	"evaluating_results":       {"active", "running"},
	"waiting_for_dependencies": {"waiting", "pause"},
	"blocked_by_failures":      {"failed", "blocked"},
	// Steps.
	"enqueued":                            {"active", "ready"},
	"in_progress":                         {"active", "running"},
	"enqueued_for_orchestration":          {"active", "ready"},
	"enqueued_as_error_for_orchestration": {"warn", "ready"},
	"suspended":                           {"waiting", "pause"},
	// Both.
	"pending":           {"idle", "pending"},
	"waiting_for_retry": {"warn", "retry"},
	"complete":          {"done", "check"},
	"error":             {"failed", "cross"},
	"cancelled":         {"off", "slash"},
	"resolved_manually": {"done", "hand"},
	// Findings, dead letters, partitions.
	"ok":                 {"done", "check"},
	"warn":               {"warn", "blocked"},
	"fail":               {"failed", "cross"},
	"manually_resolved":  {"done", "hand"},
	"permanently_failed": {"failed", "cross"},
	"paused":             {"warn", "pause"},
	"healthy":            {"done", "check"},
	"unhealthy":          {"failed", "blocked"},
	"made":               {"done", "check"},
	"queued":             {"waiting", "pause"},
	"skipped":            {"off", "slash"},
	"failed":             {"failed", "cross"},
	// Mass actions and their entries.
	"running": {"active", "running"},
	"stopped": {"warn", "pause"},
	"done":    {"done", "check"},
	"passed":  {"done", "check"},
	"open":    {"active", "running"},
	"waits":   {"idle", "pending"},
}

// lookOf returns the look of a state. An unknown state looks idle.
func lookOf(state string) look {
	if l, known := looks[state]; known {
		return l
	}
	return look{"idle", "pending"}
}
