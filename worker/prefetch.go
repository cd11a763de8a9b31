package worker

import (
	"time"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/internal/direct"
)

// Handlers that take less time than an exchange would be idle until the next exchange. So the worker claims steps ahead: as
// many as its handlers finish during an exchange. If the handlers are slow, it claims no steps ahead.

const (
	// aheadFactor bounds the number of steps claimed ahead, relative to Config.Concurrency.
	aheadFactor = 4
	// longestPatience is the longest time that a claimed step waits for a handler before the worker hands the step back.
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

// patience returns how long a claimed step may wait for a handler. The time is short because other workers may be idle, and
// because the lease of a waiting step is not renewed and must not end.
func (l *loop) patience() time.Duration { return min(longestPatience, l.config.Lease/4) }

// room returns how many steps of a group may be claimed.
func (l *loop) room(g *group) int {
	room := l.free
	if g.common {
		return min(room, g.free) + l.ahead
	}
	return min(room+l.ahead, g.free)
}

// batch returns the largest number of steps that an exchange claims. It leaves the other exchanges an equal share.
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

// handBack releases the first n steps of the queue.
func (l *loop) handBack(n int) {
	for _, q := range l.queue[:n] {
		l.giveBack([]*group{q.group}, 1)
		l.releases = append(l.releases, direct.StepClaim{StepUUID: q.step.StepUUID, ClaimNo: q.step.ClaimNo})
	}
	l.drop(n)
}

// waiting returns the steps that a slot has claimed and that wait for a handler. If the worker is lost, the database does not
// count this loss against these steps. waiting returns nil if no step waits and the database knows of no waiting step.
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
