package worker

import (
	"slices"
	"strings"
	"time"

	"github.com/pgtasker/pgtasker/internal/pgerr"
	"github.com/pgtasker/pgtasker/internal/seal"
)

// refusedWait is the shortest pause before the next claim after the database has refused a claim.
const refusedWait = time.Second

// unanswered keeps the results and the claim of a call that got no answer. These results are sent before all other results. The
// claim is repeated with the same request number, so that the database returns the same steps.
func (l *loop) unanswered(s *slot, call exchangeCall, err error) {
	if l.calls.Err() != nil {
		l.giveBack(call.groups, call.Limit)
		return // The worker has given up. It only reports how many results are still unsent.
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
		l.claimAlone = true // claims and results go in separate calls until a claim has succeeded
		l.missed(call.groups)
		l.split = append(l.split, call.batch)
	case n > 1 && pgerr.ConcernsSome(err):
		l.split = append(l.split, call.batch[:n/2], call.batch[n/2:])
	case pgerr.Of(err) == pgerr.ToMend:
		l.mark(call.batch, !pgerr.ConcernsSome(err)) // A closed namespace must not delay claims for other namespaces.
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

// claimRefused waits before the next claim: by then the namespace may be registered or the right granted.
func (l *loop) claimRefused(call exchangeCall, err error) {
	l.missed(call.groups)
	l.fruitless = min(max(refusedWait, 2*l.fruitless), max(refusedWait, l.config.PollInterval))
	l.claimFrom = time.Now().Add(jittered(l.fruitless))
	if pgerr.Of(err) == pgerr.Judged {
		l.watch.Failed(claiming, err)
	}
}

// failing begins or prolongs the pause after a call that got no answer. During an outage the worker makes only one call at a
// time.
func (l *loop) failing(now time.Time) {
	l.wait = min(max(firstRetry, 2*l.wait), maxRetry)
	l.tryAt = now.Add(jittered(l.wait))
}

// reached ends the pause after an answer.
func (l *loop) reached() {
	l.wait, l.tryAt = 0, time.Time{}
	l.most = min(2*l.most, maxCall)
}

// mayCall reports whether the loop may start a call. While calls fail, only one call runs at a time.
func (l *loop) mayCall(now time.Time) bool { return l.wait == 0 || !l.probing && !now.Before(l.tryAt) }
