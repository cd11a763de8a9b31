package serve

// Waiting returns the number of exchanges that wait for steps.
func Waiting(s *Server) (n int) {
	s.polls.mu.Lock()
	defer s.polls.mu.Unlock()
	for _, k := range s.polls.kinds {
		n += len(k.waiters)
	}
	return n
}

// These types are the bodies of the answers that tests read.
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

// Document returns the OpenAPI document of the served operations.
var Document = document
