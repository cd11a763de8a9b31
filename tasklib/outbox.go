package tasklib

import (
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"
)

// The report of a finished run is owed until the database has judged it. docs/http-workers.md has the three kinds of answers.

const (
	// maxCall is how many bytes of results and errors a call carries, or one report.
	maxCall = 8 << 20
	// maxOwed is how many bytes of owed reports stop further claims.
	maxOwed = 64 << 20
	// maxResult is how many bytes one result may have: far above the default of the setting result_bytes.
	maxResult = 64 << 20
	// overhead is how many bytes a report takes beside its texts.
	overhead = 256
	// mendEvery is the pause before a report is sent again that succeeds only after a person's help.
	mendEvery = 2 * time.Second
)

// outbox holds the reports that the database has not judged.
type outbox struct {
	signal chan struct{} // there may be reports to send

	mu      sync.Mutex
	waiting []report
	apart   [][]report // reports of refused calls
	later   []postponed
	claims  map[uuid.UUID]int32 // bytes of all owed reports
	bytes   int
	late    int // undelivered reports, which go before claims
	most    int // bytes in one call
	closed  bool
}

type postponed struct {
	at    time.Time
	batch []report
}

func newOutbox() *outbox {
	return &outbox{signal: make(chan struct{}, 1), claims: map[uuid.UUID]int32{}, most: maxCall}
}

func (r *report) bytes() int { return len(r.result) + len(r.text) + overhead }

// put owes a report.
func (o *outbox) put(r report) {
	o.mu.Lock()
	o.waiting = append(o.waiting, r)
	o.claims[r.id] = r.claimNo
	o.bytes += r.bytes()
	o.mu.Unlock()
	signal(o.signal)
}

// close says that no further reports will be owed.
func (o *outbox) close() {
	o.mu.Lock()
	o.closed = true
	o.mu.Unlock()
	signal(o.signal)
}

// take returns the next reports to send, all of one kind and within the bound on bytes. If there are none, it returns the time at which to
// call take again, or reports that all are sent.
func (o *outbox) take(now time.Time) (batch []report, again time.Duration, done bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	again = time.Hour
	o.later = slices.DeleteFunc(o.later, func(p postponed) bool {
		if wait := p.at.Sub(now); wait > 0 {
			again = min(again, wait)
			return false
		}
		o.apart = append(o.apart, p.batch)
		return true
	})
	if len(o.apart) > 0 {
		batch, o.apart = o.apart[0], o.apart[1:]
		return batch, 0, false
	}
	bytes := 0
	rest := o.waiting[:0:0]
	for i, r := range o.waiting {
		if len(batch) == maxBatch || len(batch) > 0 && bytes+r.bytes() > o.most {
			rest = append(rest, o.waiting[i:]...)
			break
		}
		if len(batch) > 0 && r.kind != batch[0].kind {
			rest = append(rest, r)
			continue
		}
		batch, bytes = append(batch, r), bytes+r.bytes()
	}
	o.waiting = rest
	return batch, again, o.closed && len(o.claims) == 0
}

// settle forgets reports that were judged.
func (o *outbox) settle(batch []report) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, r := range batch {
		if o.claims[r.id] == r.claimNo { // otherwise the task was claimed again, and the report of that run is owed, too
			delete(o.claims, r.id)
		}
		o.bytes -= r.bytes()
		if r.late {
			o.late--
		}
	}
	o.most = min(2*o.most, maxCall)
}

// undelivered keeps reports that got no answer before all others.
func (o *outbox) undelivered(batch []report, timedOut bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.mark(batch, true)
	o.waiting = slices.Concat(batch, o.waiting)
	if timedOut {
		o.most = max(o.most/2, overhead)
	}
}

// split sends the halves of a batch.
func (o *outbox) split(batch []report) {
	o.mu.Lock()
	defer o.mu.Unlock()
	half := len(batch) / 2
	o.apart = append(o.apart, batch[:half], batch[half:])
}

// postpone sends a batch again after a pause, in which a person may have removed the reason of its refusal. Late reports stop claims.
func (o *outbox) postpone(batch []report, late bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.mark(batch, late)
	o.later = append(o.later, postponed{at: time.Now().Add(mendEvery), batch: batch})
}

// replace replaces an owed report.
func (o *outbox) replace(r, by report) {
	o.mu.Lock()
	defer o.mu.Unlock()
	by.late = r.late
	o.bytes += by.bytes() - r.bytes()
	o.apart = append(o.apart, []report{by})
}

func (o *outbox) mark(batch []report, late bool) {
	for i := range batch {
		switch {
		case late && !batch[i].late:
			o.late++
		case !late && batch[i].late:
			o.late--
		}
		batch[i].late = late
	}
}

// mayClaim reports whether tasks may be claimed: not while reports could not be delivered, since the locks of their tasks may have ended,
// and not while too many bytes are owed.
func (o *outbox) mayClaim() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.late == 0 && o.bytes <= maxOwed && len(o.waiting) <= 2*maxBatch
}

// busy reports whether the runners wait for the database rather than for tasks.
func (o *outbox) busy() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.waiting) > maxBatch/2
}

// owed returns the claims whose reports are owed.
func (o *outbox) owed() map[uuid.UUID]int32 {
	o.mu.Lock()
	defer o.mu.Unlock()
	return maps.Clone(o.claims)
}

func (o *outbox) knows(id uuid.UUID) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	_, owed := o.claims[id]
	return owed
}
