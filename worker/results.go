package worker

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/pgerr"
	"github.com/pgtasker/pgtasker/internal/pgjson"
	"github.com/pgtasker/pgtasker/internal/seal"
)

// A finished result is owed until the database has judged it. docs/http-workers.md has the three kinds of answers.

const (
	// maxCall is how many bytes of results a call carries, or one result.
	maxCall = 8 << 20
	// maxOwed is how many bytes of owed results stop further claims.
	maxOwed = 64 << 20
	// maxResult is how many bytes one result may have: far above the default of the setting result_bytes.
	maxResult = 64 << 20
	// overhead is how many bytes an owed result takes beside its text.
	overhead = 256
)

// owed is a result that the database has not judged.
type owed struct {
	direct.StepResult
	late bool // a call that carried the result got no answer, or waits for a person: the lease of its step may end, so it goes before claims
}

func (o owed) bytes() int { return len(o.Results) + len(o.Error) + overhead }

// delayed are results to send later.
type delayed struct {
	at       time.Time
	batch    []owed
	releases []direct.StepClaim
}

// owe notes a finished result.
func (l *loop) owe(result direct.StepResult) {
	o := owed{StepResult: result}
	l.pending = append(l.pending, o)
	l.noteLarge(o)
	l.owing++
	l.bytes += o.bytes()
}

// largeEvery is how often a worker warns of large results of one handler.
const largeEvery = 10 * time.Minute

// noteLarge counts a result above half of the limit and warns of it, once for each handler in a while.
func (l *loop) noteLarge(o owed) {
	most := maxResult
	if n := l.resultBytes.Load(); n > 0 {
		most = min(most, int(n))
	}
	if len(o.Results) <= most/2 {
		return
	}
	l.counts.large.Add(1)
	handler := l.facts.handler(o.StepClaim)
	if at, warned := l.warned[handler]; warned && time.Since(at) < largeEvery {
		return
	}
	l.warned[handler] = time.Now()
	l.log.Warn("a result is large; keep it elsewhere and return a reference", l.facts.of(o.StepClaim), "bytes", len(o.Results), "most", most)
}

// settle forgets a result that was judged.
func (l *loop) settle(o owed) {
	l.owing--
	l.bytes -= o.bytes()
	if o.late {
		l.late--
	}
	l.steps.remove(o.StepClaim)
	l.facts.remove(o.StepClaim)
}

// replace replaces an owed result by a permanent failure.
func (l *loop) replace(o owed, text string) {
	l.bytes -= o.bytes()
	o.StepResult = direct.StepResult{StepClaim: o.StepClaim, ExecutionTime: o.ExecutionTime, Error: cutText(text), Permanent: true}
	l.bytes += o.bytes()
	l.split = append(l.split, []owed{o})
}

// sendable returns an error for a result that must not be sent.
func sendable(result []byte) error {
	if len(result) <= maxResult {
		return nil
	}
	return Permanent(fmt.Errorf(`the result of %d bytes is over the setting "result_bytes", and over %d bytes, the most that a worker sends`,
		len(result), maxResult))
}

// takePending takes as many pending results as a call carries, at most one of each step: the database refuses a call that names a step
// twice.
func (l *loop) takePending() []owed {
	n, bytes := 0, 0
	clear(l.named)
	for n < min(len(l.pending), maxBatch) && (n == 0 || bytes+l.pending[n].bytes() <= l.most) && !l.named[l.pending[n].StepUUID] {
		bytes += l.pending[n].bytes()
		l.named[l.pending[n].StepUUID] = true
		n++
	}
	batch := append([]owed(nil), l.pending[:n]...)
	rest := copy(l.pending, l.pending[n:])
	clear(l.pending[rest:])
	l.pending = l.pending[:rest]
	return batch
}

// exchangeSplit sends results of a call that was refused, without a claim.
func (l *loop) exchangeSplit() {
	batch := l.split[0]
	l.split = l.split[1:]
	s := l.idle[len(l.idle)-1]
	call := exchangeCall{batch: batch, Exchange: direct.Exchange{Results: results(batch)}, sent: time.Now()}
	call.WorkerUUID = s.worker
	l.start(func(s *slot) reply { return l.sendExchange(s, call) })
}

func results(batch []owed) []direct.StepResult {
	if len(batch) == 0 {
		return nil
	}
	results := make([]direct.StepResult, len(batch))
	for i, o := range batch {
		results[i] = o.StepResult
	}
	return results
}

// mark says whether results are late.
func (l *loop) mark(batch []owed, late bool) {
	for i, o := range batch {
		switch {
		case late && !o.late:
			l.late++
		case !late && o.late:
			l.late--
		}
		batch[i].late = late
	}
}

// unanswered keeps the contents of a call that got no answer. Its results go before all others. Its claim is made again with the same
// request number, so that the database returns the same steps.
func (l *loop) unanswered(s *slot, call exchangeCall, err error) {
	if l.calls.Err() != nil {
		l.giveBack(call.groups, call.Limit)
		return // The worker has given up, and its owed results are counted.
	}
	l.mark(call.batch, true)
	l.pending = slices.Concat(call.batch, l.pending)
	if call.Limit > 0 {
		if l.stopping {
			l.giveBack(call.groups, call.Limit)
		} else {
			call.batch, call.Results = nil, nil
			s.again = &call
		}
	}
	if pgerr.TimedOut(err) {
		l.most = max(l.most/2, overhead)
	}
	l.failing(time.Now())
}

// refused splits a call that the database refused: the claim from the results, and the results from each other.
func (l *loop) refused(call exchangeCall, err error) {
	if call.Limit > 0 {
		l.giveBack(call.groups, call.Limit)
	}
	switch n := len(call.batch); {
	case n == 0:
		l.claimRefused(call, err)
	case call.Limit > 0:
		l.claimAlone = true // until a claim alone has succeeded
		l.missed(call.groups)
		l.split = append(l.split, call.batch)
	case n > 1 && pgerr.ConcernsSome(err):
		l.split = append(l.split, call.batch[:n/2], call.batch[n/2:])
	case pgerr.Of(err) == pgerr.ToMend:
		l.mark(call.batch, !pgerr.ConcernsSome(err)) // A closed namespace delays no claim for the other namespaces.
		l.later = append(l.later, delayed{at: time.Now().Add(jittered(mendEvery)), batch: call.batch})
	case notEncrypted(err) && !strings.HasPrefix(call.batch[0].Error, seal.OwnError):
		o := call.batch[0]
		l.log.Error("a payload was refused since it is not encrypted: the worker has no Config.Codec", l.facts.of(o.StepClaim), "error", err)
		l.replace(o, seal.OwnError+"the worker sent a payload in the clear, which is not stored: it has no codec")
	case call.batch[0].Error == "":
		o := call.batch[0]
		l.log.Error("a result was refused; the step fails", l.facts.of(o.StepClaim), "error", err)
		l.replace(o, "the database refused the result: "+err.Error())
	default:
		o := call.batch[0]
		l.log.Error("a failure was refused; the step runs again when its lease has ended", l.facts.of(o.StepClaim), "error", err)
		l.counts.refused.Add(1)
		l.settle(o)
	}
}

// failing begins or prolongs the pause after a call that got no answer. Meanwhile one call at a time tries.
func (l *loop) failing(now time.Time) {
	l.wait = min(max(firstRetry, 2*l.wait), maxRetry)
	l.tryAt = now.Add(jittered(l.wait))
}

// reached ends the pause after an answer.
func (l *loop) reached() {
	l.wait, l.tryAt = 0, time.Time{}
	l.most = min(2*l.most, maxCall)
}

// mayCall reports whether a call may be started: while calls fail, only one call runs at a time.
func (l *loop) mayCall(now time.Time) bool { return l.wait == 0 || !l.probing && !now.Before(l.tryAt) }

// tooLarge returns the error for a result that is too large for the database.
func tooLarge(result []byte) string {
	if pgjson.Depth(result) > pgjson.Deepest {
		return fmt.Sprintf("the result is nested deeper than %d levels", pgjson.Deepest)
	}
	return fmt.Sprintf(`the result of %d bytes is over the setting "result_bytes"`, len(result))
}
