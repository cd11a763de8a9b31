package executor

// Act says who changes something and why: a name and a reason for the log of administration, which keeps the login and the token
// beside them. Functions that change what is not a task's take one at most; without one the log has neither.
type Act struct {
	// Actor is the person or program for whom the change is made; default the role of the caller.
	Actor string
	// Reason is why; default none.
	Reason string
}

// only returns the act that a caller gave, if any.
func only(acts []Act) Act {
	if len(acts) == 0 {
		return Act{}
	}
	return acts[0]
}
