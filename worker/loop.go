package worker

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/internal/direct"
)

const (
	// gatherFor is how long a result waits for other results while many results arrive, so that one call records them together.
	gatherFor = 2 * time.Millisecond
	// gatherBriefly is how long a result waits for other results while few results arrive and other handlers run. Handlers that
	// began together often end together, and in separate calls the results of one task would wait for each other in the
	// database.
	gatherBriefly = 300 * time.Microsecond
	// busyBatch is the number of results and claimed steps in an exchange from which the worker counts as busy.
	busyBatch = 16
	// settledAfter is how long the loop must have been quiet before it asks the database when the next work is due.
	settledAfter = 20 * time.Millisecond
	// askBefore is the shortest remaining time until the next poll for which the loop still asks when work is due.
	askBefore = time.Second
	// resendBusy is the pause before the worker sends a result again because another transaction held a lock on its task.
	resendBusy = 200 * time.Millisecond
	// deliverWithin is how long a stopping worker tries to record its last results and to hand steps back, counted from the end
	// of its last handler. idleWithin is how long a stopping worker without such results and steps waits for the answer to a
	// claim.
	deliverWithin = 10 * time.Second
	idleWithin    = 2 * time.Second

	firstFruitless = 10 * time.Millisecond
	// awakeAfter is how long claims must be full before the worker removes from the database the mark that it sleeps. Without
	// this mark the worker gets no notifications, which a busy worker does not need.
	awakeAfter = 200 * time.Millisecond
)

// group is a set of handlers for which the worker claims together. A handler with its own limit forms a group alone.
type group struct {
	handlers []string
	limit    int
	free     int  // may be below 0 while steps are claimed ahead
	ready    bool // this group may have steps to claim
	common   bool // the group of the handlers without a limit. Only their steps are claimed ahead
}

// loop makes all decisions of the worker: which steps to claim, which results to record, and when to sleep. Only the goroutine
// that runs the method work uses the fields of loop.
type loop struct {
	*run
	groups  []*group
	groupOf map[string]*group
	next    int           // the group whose turn it is
	apart   bool          // each group has its own claim, since one claim for all groups asked for too few steps
	free    int           // handlers that may be started, below 0 while steps are claimed ahead
	ahead   int           // how many steps may be claimed before a handler is free for them
	ended   int           // handlers that have finished since the last exchange came back
	worked  time.Duration // the total time of these handlers
	queue   []queued
	slots   []*slot
	idle    []*slot // slots whose exchange is not under way
	replies chan reply

	pending   []owed
	split     [][]owed // results of refused calls, which are sent without a claim
	later     []delayed
	owing     int                  // number of results that the database has not answered yet
	bytes     int                  // bytes of owed results
	warned    map[string]time.Time // when the worker last warned of a large result, by handler
	late      int                  // number of owed results whose call got no answer
	most      int                  // the largest number of bytes of results in one call
	releases  []direct.StepClaim
	releasing int
	outcomes  []outcome          // scratch
	named     map[uuid.UUID]bool // scratch

	wait    time.Duration // the pause between calls while they get no answer, otherwise 0
	tryAt   time.Time     // the end of this pause
	probing bool          // a call is under way whose outcome shows whether the outage is over

	active     int          // running handlers
	starting   int          // number of tasks that are being started and of claims for messages. Places are kept for their steps
	hungry     []chan<- int // couriers that wait for a free place
	busy       bool         // many steps arrive
	freed      bool         // a handler with a transaction has ended. Others may end in a moment: one claim fills all their places
	full       bool         // the newest claim returned as many steps as it asked for
	gatherTill time.Time    // until when pending results wait for further results, zero if they do not wait
	claimFrom  time.Time    // no claim before this time, since the database refused the last claim
	claimAlone bool         // an exchange was refused, and its claim may be the reason
	pollAt     time.Time
	lastEvent  time.Time
	asked      bool // the time of the next due work is known
	fruitless  time.Duration
	shortAt    time.Time // when a claim last found fewer steps than it asked for

	stopping bool
	stopAt   time.Time // when the contexts of the handlers end, zero after that time
	doneAt   time.Time // when the last handler of a stopping worker ended
}

func newLoop(r *run) *loop {
	l := &loop{
		run: r, free: r.config.Concurrency, most: maxCall,
		replies: make(chan reply, len(r.uuids)), groupOf: map[string]*group{}, named: map[uuid.UUID]bool{},
		pollAt: time.Now(), warned: map[string]time.Time{},
	}
	for _, worker := range r.uuids {
		s := &slot{worker: worker}
		s.calls, s.abandon = context.WithCancel(r.calls)
		l.slots = append(l.slots, s)
	}
	l.idle = slices.Clone(l.slots)
	common := &group{limit: r.config.Concurrency, common: true}
	places := &group{limit: cap(r.places)} // the group of the handlers with a transaction
	for name, e := range r.entries {
		g := common
		most := min(r.config.Concurrency, cap(r.places))
		if !e.tx {
			most = r.config.Concurrency
		}
		switch {
		case e.limit > 0 && e.limit < most:
			g = &group{limit: e.limit}
			l.groups = append(l.groups, g)
		case most < r.config.Concurrency:
			g = places
		}
		g.handlers = append(g.handlers, name)
		l.groupOf[name] = g
	}
	for _, g := range []*group{places, common} {
		if len(g.handlers) > 0 {
			l.groups = append(l.groups, g)
		}
	}
	for _, g := range l.groups {
		slices.Sort(g.handlers)
		g.free = g.limit
	}
	return l
}

// work runs until ctx has ended and no call is under way or due. It returns the number of results that the database has neither
// accepted nor refused.
func (l *loop) work(ctx context.Context) int {
	stop := ctx.Done()
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		now := time.Now()
		l.collect(now)
		l.pass(now)
		l.act(now)
		l.rest(now)
		l.feed()
		if l.stopping && l.settled() {
			for _, s := range l.slots {
				l.hangUp(s)
				s.abandon()
			}
			return l.owing
		}
		var back <-chan struct{}
		if l.wait > 0 {
			back = l.watch.Back()
		}
		timer.Reset(time.Until(l.nextEvent(now)))
		select {
		case <-l.inbox.signal:
		case r := <-l.replies:
			r.slot.keep = time.Now().Add(keepLine)
			l.idle = append(l.idle, r.slot)
			l.probing = l.probing && !r.slot.probe
			r.take(l)
		case <-back:
			l.tryAt = time.Now() // the database has answered another call
		case ask := <-l.asks:
			ask(l)
		case <-l.ear.signal:
			l.listened()
		case <-timer.C:
		case <-stop:
			stop = nil
			l.stop(time.Now())
		}
	}
}

// collect handles the outcomes of handlers that have ended.
func (l *loop) collect(now time.Time) {
	l.outcomes = l.inbox.take(l.outcomes[:0])
	for _, out := range l.outcomes {
		l.active--
		l.ended++
		l.worked += out.result.ExecutionTime
		l.giveBack([]*group{out.group}, 1)
		switch out.fate {
		case toRecord:
			l.owe(out.result)
		case toRelease:
			l.facts.remove(out.result.StepClaim)
			l.releases = append(l.releases, out.result.StepClaim)
		case toDrop:
			l.facts.remove(out.result.StepClaim)
			l.counts.refused.Add(1)
		case toForget:
			l.facts.remove(out.result.StepClaim)
			l.counts.completed.Add(1)
			l.lookAgain() // its commit may have made steps ready
			l.freed = true
			l.asked, l.lastEvent = false, now
		case toLeave:
			l.facts.remove(out.result.StepClaim)
			l.counts.suspended.Add(1)
			l.asked, l.lastEvent = false, now // the step may be due before any other work
		}
	}
	clear(l.outcomes)
	l.beginQueued(now)
	l.later = slices.DeleteFunc(l.later, func(d delayed) bool {
		if now.Before(d.at) {
			return false
		}
		if len(d.batch) > 0 {
			l.split = append(l.split, d.batch)
		}
		l.releases = append(l.releases, d.releases...)
		return true
	})
}

// pass does the work that is due now.
func (l *loop) pass(now time.Time) {
	if !l.stopping {
		if !now.Before(l.pollAt) {
			l.lookAgain()
			l.pollAt = now.Add(jittered(l.config.PollInterval))
		}
		return
	}
	if !l.stopAt.IsZero() && !now.Before(l.stopAt) {
		l.stopAt = time.Time{}
		l.cancel(ErrStopping)
		if l.active > 0 {
			l.log.Warn("the stop timeout has passed; cancelling running handlers", "handlers", l.active)
		}
	}
	if l.active == 0 && l.doneAt.IsZero() {
		l.doneAt = now
	}
	if at := l.giveUpAt(); !at.IsZero() && !now.Before(at) && l.calls.Err() == nil {
		l.abandon()
		for _, s := range l.slots {
			s.again = nil
		}
		l.pending, l.split, l.later, l.releases = nil, nil, nil, nil
	}
}

// giveUpAt returns the time from which a stopping worker no longer waits for the database. It returns zero while a handler
// still runs.
func (l *loop) giveUpAt() time.Time {
	switch {
	case l.doneAt.IsZero():
		return time.Time{}
	case l.owing+l.starting+len(l.releases)+l.releasing > 0:
		return l.doneAt.Add(deliverWithin)
	}
	return l.doneAt.Add(idleWithin)
}

// act starts calls until all pending work that can be sent now is in a call.
func (l *loop) act(now time.Time) {
	for {
		switch l.decide(now) {
		case doResend:
			l.exchangeSplit()
		case doHandBack:
			l.release()
		case doExchange:
			l.exchange(now)
		case doAsk:
			l.askWhenDue()
		case doNothing:
			return
		}
	}
}

// exchangeDue reports whether the loop should exchange now. It delays an exchange only if further results are expected in a
// moment.
func (l *loop) exchangeDue(now time.Time) bool {
	claims := l.claimable(now, 0) != nil || l.late == 0 && l.favour()
	if len(l.pending) == 0 && !claims {
		l.gatherTill = time.Time{}
		return false
	}
	if l.stopping || l.active == 0 || len(l.pending) >= l.batch() || claims && !l.busy && !l.freed {
		return true
	}
	if l.gatherTill.IsZero() {
		l.gatherTill = now.Add(gatherBriefly)
		if l.busy || l.freed && l.full {
			l.gatherTill = now.Add(gatherFor)
		}
	}
	return !now.Before(l.gatherTill)
}

// exchange sends pending results and claims steps that can be started.
func (l *loop) exchange(now time.Time) {
	l.favour()
	s := l.idle[len(l.idle)-1]
	call := exchangeCall{batch: l.takePending()}
	late := 0
	for _, o := range call.batch {
		if o.late {
			late++
		}
	}
	switch {
	case s.again != nil && l.late == late:
		s.again.batch = call.batch
		call, s.again = *s.again, nil
	case len(call.batch) > 0:
		l.claim(&call, l.alongResults(now, late))
	default:
		l.claim(&call, l.claimable(now, late))
	}
	call.Results = results(call.batch)
	call.Waiting = l.waiting(s)
	s.told = call.Ahead > 0 || len(call.Waiting) > 0
	l.gatherTill, l.lastEvent, l.asked, l.freed, call.sent = time.Time{}, now, false, false, now
	s.groups, call.WorkerUUID = call.groups, s.worker
	l.start(func(s *slot) reply { return l.sendExchange(s, call) })
}

// start makes a call in a new goroutine, and sends the outcome to replies. It uses the slot that was used last, since the
// connection of that slot is warm.
func (l *loop) start(call func(s *slot) reply) {
	s := l.idle[len(l.idle)-1]
	l.idle = l.idle[:len(l.idle)-1]
	s.probe = l.wait > 0
	l.probing = l.probing || s.probe
	l.working.Go(func() {
		r := call(s)
		r.slot = s
		l.replies <- r
	})
}

func (l *loop) stop(now time.Time) {
	l.log.Info("worker stops", "running", l.active, "within", l.config.StopTimeout)
	l.stopping = true
	l.tryAt = time.Time{} // the next call shows at once whether the database answers
	l.handBack(len(l.queue))
	l.stopAt = now.Add(max(0, l.config.StopTimeout))
}

// settled reports whether no call is under way, and none is due.
func (l *loop) settled() bool {
	return l.active == 0 && l.starting == 0 && len(l.idle) == len(l.slots) &&
		len(l.pending)+len(l.split)+len(l.later)+len(l.releases) == 0 && !l.favour()
}
