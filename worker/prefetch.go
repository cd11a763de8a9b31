package worker

import (
	"time"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/internal/direct"
)

// If handlers take less time than an exchange, they would be idle until the next exchange. So the worker claims steps ahead: as many as its
// handlers finish during an exchange, and none if handlers are slow.

const (
	// aheadFactor bounds the number of steps claimed ahead, relative to Config.Concurrency.
	aheadFactor = 4
	// longestPatience is how long a claimed step waits for a handler at most before it is handed back.
	longestPatience = time.Second
)

// queued is a claimed step that waits for a handler.
type queued struct {
	step  gen.ClaimedStep
	entry *entry
	group *group
	since time.Time
	// worker is the worker of the slot that claimed the step.
	worker uuid.UUID
}

// patience is how long a step may wait: other workers may be idle, and its lease, which is not renewed yet, must
// not end.
func (l *loop) patience() time.Duration { return min(longestPatience, l.config.Lease/4) }

// room returns how many steps of a group may be claimed.
func (l *loop) room(g *group) int {
	room := l.free
	if g.common {
		return min(room, g.free) + l.ahead
	}
	return min(room+l.ahead, g.free)
}

// batch is how many steps an exchange claims at most, so that the other exchanges find as many.
func (l *loop) batch() int {
	n := l.config.Exchanges
	return min(maxBatch, (l.config.Concurrency+l.ahead+n-1)/n)
}

// beginQueued starts handlers for waiting steps, and hands back steps that have waited too long.
func (l *loop) beginQueued(now time.Time) {
	n := min(len(l.queue), l.config.Concurrency-l.active)
	for _, q := range l.queue[:n] {
		l.active++
		l.handle(q.step, q.entry, q.group, q.since)
	}
	l.drop(n)

	late := 0
	for late < len(l.queue) && now.Sub(l.queue[late].since) >= l.patience() {
		late++
	}
	if late > 0 {
		l.ahead = 0
		l.handBack(late)
	}
}

// handBack hands the first n steps of the queue back.
func (l *loop) handBack(n int) {
	for _, q := range l.queue[:n] {
		l.giveBack([]*group{q.group}, 1)
		l.releases = append(l.releases, direct.StepClaim{StepUUID: q.step.StepUUID, ClaimNo: q.step.ClaimNo})
	}
	l.drop(n)
}

// waiting returns the steps that a slot has claimed and that wait for a handler, so that the database does not count a lost worker for
// these steps. It returns nil if there are none and the database knows of none.
func (l *loop) waiting(s *slot) []uuid.UUID {
	var steps []uuid.UUID
	if s.told {
		steps = []uuid.UUID{}
	}
	for _, q := range l.queue {
		if q.worker == s.worker && len(steps) < maxBatch {
			steps = append(steps, q.step.StepUUID)
		}
	}
	return steps
}

// drop removes the first n steps from the queue.
func (l *loop) drop(n int) {
	rest := copy(l.queue, l.queue[n:])
	clear(l.queue[rest:])
	l.queue = l.queue[:rest]
}

// adjustAhead adjusts the number of steps to claim ahead after an exchange of the given length. If more work is ready, handlers take less
// time than the exchange and most handlers are idle, the worker should have claimed more steps ahead. If claimed steps still wait, it
// should have claimed fewer.
func (l *loop) adjustAhead(more bool, took time.Duration) {
	switch {
	case len(l.queue) > 0:
		l.ahead = max(0, l.ahead-len(l.queue))
	case more && 2*l.active < l.config.Concurrency && l.worked < time.Duration(l.ended)*took:
		l.ahead = min(aheadFactor*l.config.Concurrency, maxBatch, l.ahead+l.ended)
	}
	l.ended, l.worked = 0, 0
}
