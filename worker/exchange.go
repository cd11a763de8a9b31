package worker

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/pgerr"
)

const (
	recording = "recording results"
	claiming  = "claiming steps"
	// refusedWait is how long the worker makes no claim after a claim was refused.
	refusedWait = time.Second
)

// exchangeCall is an exchange with its owed results and the groups that it claims for.
type exchangeCall struct {
	direct.Exchange
	batch  []owed
	groups []*group
	sent   time.Time
}

// reply is the outcome of a call, with the function by which the loop handles the outcome.
type reply struct {
	slot *slot
	take func(l *loop)
}

// sendExchange tries an exchange once. The loop handles the outcome.
func (r *run) sendExchange(s *slot, call exchangeCall) reply {
	r.counts.exchanges.Add(1)
	what := claiming
	if len(call.batch) > 0 {
		what = recording
	}
	var answered direct.ExchangeReply
	err := r.within(s.calls, max(shortestCall, min(r.config.Lease/4, callWithin)), what, func(ctx context.Context) (err error) {
		answered, err = r.exchangeOn(ctx, s, call.Exchange)
		return err
	})
	return reply{take: func(l *loop) {
		switch {
		case err == nil:
			l.reached()
			l.takeExchange(call, answered)
		case pgerr.Of(err) == pgerr.Passing || l.calls.Err() != nil:
			l.unanswered(s, call, err)
		default:
			l.reached()
			l.refused(call, err)
		}
	}}
}

// takeExchange handles the answer to an exchange.
func (l *loop) takeExchange(call exchangeCall, answered direct.ExchangeReply) {
	l.takeAnswers(call.batch, answered.Answers)
	l.giveBack(call.groups, call.Limit-len(answered.Claimed))
	l.lastEvent = time.Now()
	if len(call.groups) == 0 {
		return
	}
	l.claimAlone = false
	l.watch.Worked(claiming)

	claimed := answered.Claimed
	l.busy = len(call.Results)+len(claimed) >= busyBatch
	l.counts.claimed.Add(int64(len(claimed)))
	if len(claimed) > 0 {
		l.fruitless = 0
	}
	full := len(claimed) == call.Limit
	l.full = full
	more := full && slices.ContainsFunc(call.groups, func(g *group) bool { return g.common })
	l.adjustAhead(more, time.Since(call.sent))
	for _, g := range call.groups {
		g.ready = g.ready || full
	}
	switch {
	case full && len(call.groups) > 1:
		l.apart = true
	case !slices.ContainsFunc(l.groups, func(g *group) bool { return g.ready }):
		l.apart = false
	}
	l.sleeps(time.Now())
	if l.config.PollOnly && len(answered.Answers) > 0 && len(call.groups) < len(l.groups) {
		l.lookAgain() // no notification says which steps the results made ready for other handlers
	}
	for _, step := range claimed {
		l.take(call, step)
	}
	l.beginQueued(time.Now())
}

// take puts a claimed step into the queue. The claim has already taken the step's place, in every group for which it claimed.
func (l *loop) take(call exchangeCall, step gen.ClaimedStep) {
	e := l.entries[step.Handler]
	g := l.groupOf[step.Handler]
	for _, other := range call.groups {
		if other != g {
			other.free++
		}
	}
	if l.stopping || e == nil {
		l.free++
		if g != nil {
			g.free++
		}
		l.releases = append(l.releases, direct.StepClaim{StepUUID: step.StepUUID, ClaimNo: step.ClaimNo})
		return
	}
	l.queue = append(l.queue, queued{step: step, entry: e, group: g, since: time.Now(), worker: call.WorkerUUID})
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

// takeAnswers handles the answers to results.
func (l *loop) takeAnswers(batch []owed, answers []gen.StepAnswer) {
	for i, answer := range answers {
		o := batch[i]
		switch answer.Answer {
		case gen.ResultAnswerCompleted, gen.ResultAnswerAlreadyComplete:
			l.counts.completed.Add(1)
		case gen.ResultAnswerRecorded:
			if o.Error == "" {
				l.counts.completed.Add(1)
			} else {
				l.counts.failed.Add(1)
			}
		case gen.ResultAnswerRetrying, gen.ResultAnswerFailed:
			l.counts.failed.Add(1)
			l.noteFailure(o.StepResult, answer)
		case gen.ResultAnswerBusy:
			l.later = append(l.later, delayed{at: time.Now().Add(resendBusy), batch: []owed{o}})
			continue
		case gen.ResultAnswerTooLarge:
			l.replace(o, tooLarge(o.Results))
			continue
		case gen.ResultAnswerStale, gen.ResultAnswerCancelled, gen.ResultAnswerNotFound:
			l.counts.refused.Add(1)
			l.log.Warn("a result came too late or was refused", l.facts.of(o.StepClaim), "answer", answer.Answer)
		default:
			l.log.Error("the database answered a result in a way that this worker does not know: whether the result counts is not known",
				l.facts.of(o.StepClaim), "answer", answer.Answer)
		}
		l.settle(o)
	}
}

func (l *loop) noteFailure(result direct.StepResult, answer gen.StepAnswer) {
	first, rest, _ := strings.Cut(result.Error, "\n")
	attrs := []any{l.facts.of(result.StepClaim), "error", first}
	if strings.HasPrefix(first, "panic: ") && rest != "" {
		attrs = append(attrs, "stack", strings.TrimSpace(rest))
	}
	if answer.Answer == gen.ResultAnswerFailed {
		l.log.Error("a step failed", attrs...)
		return
	}
	l.log.Info("a step failed and will be retried", append(attrs, "at", answer.NextRetryAt)...)
	if answer.NextRetryAt != nil {
		l.pollBy(l.offset.local(*answer.NextRetryAt))
	}
}

// pollBy makes the loop poll at t, unless it polls earlier.
func (l *loop) pollBy(t time.Time) {
	if t.Before(l.pollAt) {
		l.pollAt = t
	}
}

// release hands back steps that were not started or not finished.
func (l *loop) release() {
	var claims []direct.StepClaim
	claims, l.releases = claimsOfACall(l.releases)
	n := len(claims)
	l.releasing += n
	l.start(func(s *slot) reply {
		var answers []gen.StepAnswer
		err := l.within(s.calls, callWithin, "handing steps back", func(ctx context.Context) (err error) {
			answers, err = l.db.ReleaseSteps(ctx, claims)
			return err
		})
		return reply{take: func(l *loop) {
			l.releasing -= n
			switch {
			case err == nil:
				l.reached()
				l.takeReleases(claims, answers)
			case l.calls.Err() == nil && pgerr.Of(err) == pgerr.Passing:
				l.failing(time.Now())
				l.releases = append(claims, l.releases...)
			default:
				l.log.Warn("steps could not be handed back; they run again when their leases have ended", "steps", n, "error", err)
			}
		}}
	})
}

// takeReleases handles the answers to releases. A step that another session holds is handed back again later.
func (l *loop) takeReleases(claims []direct.StepClaim, answers []gen.StepAnswer) {
	var busy []direct.StepClaim
	for _, claim := range claims {
		if slices.ContainsFunc(answers, func(a gen.StepAnswer) bool {
			return a.StepUUID == claim.StepUUID && a.Answer == gen.ResultAnswerBusy
		}) {
			busy = append(busy, claim)
		}
	}
	l.counts.released.Add(int64(len(claims) - len(busy)))
	if len(busy) > 0 {
		l.later = append(l.later, delayed{at: time.Now().Add(resendBusy), releases: busy})
	}
}

// askWhenDue asks when the next work is due, so that the loop sleeps until then.
func (l *loop) askWhenDue() {
	l.asked = true
	l.start(func(s *slot) reply {
		var due, later *time.Time
		err := l.once(s.calls, "querying when something is due", func(ctx context.Context) (err error) {
			due, err = l.db.NextDueAt(ctx, l.config.Namespaces, false)
			if err == nil && due != nil && !l.offset.local(*due).After(time.Now()) {
				later, err = l.db.NextLaterAt(ctx, l.config.Namespaces)
			}
			return err
		})
		return reply{take: func(l *loop) {
			if err != nil || due == nil {
				return // the next poll suffices
			}
			now := time.Now()
			at := l.offset.local(*due)
			if at.After(now) {
				l.pollBy(at)
				return
			}
			// The due work is not for this worker: it belongs to other handlers, or another session holds it. Work that is due later may be
			// for this worker.
			l.pollBy(now.Add(l.fruitless))
			if later != nil && l.offset.local(*later).After(now) {
				l.pollBy(l.offset.local(*later))
			}
			l.fruitless = min(max(firstFruitless, 2*l.fruitless), l.config.PollInterval)
		}}
	})
}
