package worker

import "time"

// action is the next action of the loop with a free slot.
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
	// doAsk asks the database when the next work is due.
	doAsk
)

// decide returns the next action. It makes no call, since the loop's fields describe everything that has happened. Results of a refused
// call come first, so that the database answers them before their leases end. Steps that other workers could run come next. The loop asks
// when work is due only if there is nothing else to do.
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
