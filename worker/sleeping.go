package worker

import (
	"slices"
	"time"
)

// The loop's waits, and its work before it sleeps.

// questionDue says whether to ask when the next work is due. The loop asks after nothing has happened for a while.
func (l *loop) questionDue(now time.Time) bool {
	return l.mayAsk(now) && now.Sub(l.lastEvent) >= settledAfter
}

func (l *loop) mayAsk(now time.Time) bool {
	return l.wait == 0 && !l.asked && !l.stopping && l.free > 0 && len(l.idle) == len(l.slots) && l.pollAt.Sub(now) > askBefore
}

// nextEvent returns the time at which the loop has to run again if nothing happens before.
func (l *loop) nextEvent(now time.Time) time.Time {
	next := now.Add(time.Hour)
	sooner := func(t time.Time) {
		if !t.IsZero() && t.Before(next) {
			next = t
		}
	}
	if len(l.idle) > 0 && l.mayCall(now) {
		sooner(l.gatherTill)
	}
	for _, s := range l.idle {
		if s.line != nil {
			sooner(s.keep)
		}
	}
	for _, d := range l.later {
		sooner(d.at)
	}
	if !l.probing && now.Before(l.tryAt) {
		sooner(l.tryAt)
	}
	if l.stopping {
		sooner(l.stopAt)
		if l.calls.Err() == nil {
			sooner(l.giveUpAt())
		}
		return next
	}
	sooner(l.pollAt)
	if len(l.queue) > 0 {
		sooner(l.queue[0].since.Add(l.patience()))
	}
	if now.Before(l.claimFrom) {
		sooner(l.claimFrom)
	}
	if l.mayAsk(now) {
		sooner(l.lastEvent.Add(settledAfter))
	}
	return next
}

// sleeps stores in the database whether the worker needs notifications. If each claim returns as many steps as it asked for, the worker
// claims again at once and needs no notifications.
func (l *loop) sleeps(now time.Time) {
	if l.listener == nil {
		return
	}
	if slices.ContainsFunc(l.groups, func(g *group) bool { return !g.ready }) {
		l.shortAt = now
		l.listener.Sleep(true)
	} else if now.Sub(l.shortAt) >= awakeAfter {
		l.listener.Sleep(false)
	}
}

// rest returns lines that were not needed for a while.
func (l *loop) rest(now time.Time) {
	for _, s := range l.idle {
		if s.line != nil && !now.Before(s.keep) {
			l.hangUp(s)
		}
	}
}
