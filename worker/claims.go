package worker

import (
	"slices"
	"time"

	"github.com/google/uuid"
)

// Choice of the groups of handlers for which the loop claims.

// claimable returns the groups to claim for now: groups that may have steps, all together or the next in turn. It returns nil if there is
// nothing to claim. The argument is how many undelivered results of earlier calls the call carries.
func (l *loop) claimable(now time.Time, late int) []*group {
	return l.choose(now, late, func(g *group) bool { return g.ready && l.room(g) > 0 })
}

// alongResults returns the groups to claim for in an exchange that records results. The results may make steps of any group ready. The
// claim of the same exchange sees these steps, so that they need no other exchange.
func (l *loop) alongResults(now time.Time, late int) []*group {
	if l.claimAlone {
		return nil
	}
	if groups := l.claimable(now, late); groups != nil {
		return groups
	}
	return l.choose(now, late, func(g *group) bool { return l.room(g) > 0 })
}

// choose returns groups for which a claim may be made. Owed results come first: a claim carries the undelivered results of earlier calls or
// waits until they are delivered, since the leases of their steps may have ended.
func (l *loop) choose(now time.Time, late int, may func(g *group) bool) []*group {
	if l.stopping || l.free+l.ahead <= 0 || now.Before(l.claimFrom) || l.late > late || l.bytes > l.config.owesMost {
		return nil
	}
	if !l.apart && !slices.ContainsFunc(l.groups, func(g *group) bool { return !may(g) }) {
		return l.groups
	}
	for i := range l.groups {
		at := (l.next + i) % len(l.groups)
		if may(l.groups[at]) {
			return l.groups[at : at+1]
		}
	}
	return nil
}

// claim adds a claim for these groups to a call, and takes places for them.
func (l *loop) claim(call *exchangeCall, groups []*group) {
	if len(groups) == 0 {
		return
	}
	call.groups, call.Limit = groups, l.batch()
	for _, g := range groups {
		call.Limit = min(call.Limit, l.room(g))
		call.Handlers = append(call.Handlers, g.handlers...)
		g.ready = false
	}
	l.next = (slices.Index(l.groups, groups[0]) + 1) % len(l.groups)
	call.Ahead = max(0, call.Limit-max(0, l.free))
	l.giveBack(groups, -call.Limit)
	call.Namespaces, call.Lease, call.RequestUUID = l.config.Namespaces, l.config.Lease, uuid.New()
}

// favour makes a slot whose claim got no answer the next slot to be used, and reports whether there is one.
func (l *loop) favour() bool {
	at := slices.IndexFunc(l.idle, func(s *slot) bool { return s.again != nil })
	if at >= 0 {
		last := len(l.idle) - 1
		l.idle[at], l.idle[last] = l.idle[last], l.idle[at]
	}
	return at >= 0
}

// lookAgain records that there may be steps for all handlers.
func (l *loop) lookAgain() { l.missed(l.groups) }

// missed records that there may be steps for these groups.
func (l *loop) missed(groups []*group) {
	for _, g := range groups {
		g.ready = true
	}
}

// listened handles the notifications: steps that other sessions made ready may be for all groups. Steps that this worker made ready can
// only be for groups that were left out of the claim in the same exchange.
func (l *loop) listened() {
	wake, own := l.ear.heard()
	if wake {
		l.lookAgain()
	}
	for _, s := range own {
		for _, g := range l.groups {
			g.ready = g.ready || !slices.Contains(s.groups, g)
		}
	}
}

// giveBack returns n free places to the worker and to these groups.
func (l *loop) giveBack(groups []*group, n int) {
	l.free += n
	for _, g := range groups {
		g.free += n
	}
}
