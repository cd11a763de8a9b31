package serve

// Waiting is how many exchanges wait for steps.
func Waiting(s *Server) (n int) {
	s.polls.mu.Lock()
	defer s.polls.mu.Unlock()
	for _, k := range s.polls.kinds {
		n += len(k.waiters)
	}
	return n
}

// The bodies of answers that tests read.
type (
	Answer     = answerBody
	Changed    = changedBody
	Exchanged  = exchangedBody
	Forked     = forkedBody
	Problem    = problemBody
	Registered = registeredBody
	StepClaim  = stepClaimBody
	StepWait   = stepWaitBody
)

// Document is the OpenAPI document of what is served.
var Document = document
