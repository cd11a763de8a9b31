package worker

import "time"

// action is what the loop does next with a slot that is free.
type action int

const (
	// doNothing leaves the slot free until the next event.
	doNothing action = iota
	// doResend sends results of a call that was refused, without a claim.
	doResend
	// doHandBack hands steps back that were not started or not finished.
	doHandBack
	// doExchange sends pending results and claims steps.
	doExchange
	// doAsk asks when something is due.
	doAsk
)

// decide says what to do now. It makes no call: what has happened stands in the loop's fields. What was refused goes first, so that
// it is judged before its leases end; then steps that other workers could run; a question is asked only if nothing else is to be done.
func (l *loop) decide(now time.Time) action {
	switch {
	case len(l.idle) == 0, !l.mayCall(now):
		return doNothing
	case len(l.split) > 0:
		return doResend
	case len(l.releases) > 0:
		return doHandBack
	case l.exchangeDue(now):
		return doExchange
	case l.questionDue(now):
		return doAsk
	}
	return doNothing
}
