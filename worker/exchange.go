package worker

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgerr"
)

const (
	// callWithin bounds one call, so that one that hangs does not hang the worker.
	callWithin = 30 * time.Second
	firstRetry = 20 * time.Millisecond
	maxRetry   = 2 * time.Second
	// refusedWait is how long no claim is made after one was refused.
	refusedWait = time.Second
)

// exchangeCall is an exchange and for whom it claims.
type exchangeCall struct {
	executor.Exchange
	groups []*group
	sent   time.Time
}

// reply is the outcome of a call, and how the loop handles it.
type reply struct {
	slot *slot
	take func(l *loop)
}

// sendExchange sends an exchange until the database has answered, the same one each time: results are
// fenced by their claims, and a claim's UUID makes it hand out the same steps.
func (r *run) sendExchange(s *slot, call exchangeCall) reply {
	r.counts.exchanges.Add(1)
	var answered executor.ExchangeReply
	refused := r.persist(r.calls, "exchanging steps", func(ctx context.Context) (err error) {
		answered, err = r.exchangeOn(ctx, s, call.Exchange)
		return err
	})
	if refused == nil {
		return reply{take: func(l *loop) { l.takeExchange(call, answered, nil) }}
	}
	if len(call.Results) > 0 && r.calls.Err() == nil {
		// Whatever it was, the results must not suffer for the claim, nor for one another.
		answers, all := r.sendResults(s, call)
		answered = executor.ExchangeReply{Answers: answers}
		if all {
			return reply{take: func(l *loop) { l.takeExchange(call, answered, refused) }}
		}
		return reply{take: func(l *loop) {
			l.takeExchange(call, answered, nil)
			l.missed(call.groups) // The results were at fault, and nothing was claimed.
		}}
	}
	return reply{take: func(l *loop) { l.takeExchange(call, executor.ExchangeReply{}, refused) }}
}

// sendResults records the results of an exchange that was refused without claiming: together, or if they
// are refused too, one by one. It says whether all went together.
func (r *run) sendResults(s *slot, call exchangeCall) (answers []executor.StepAnswer, together bool) {
	send := func(results []executor.StepResult) ([]executor.StepAnswer, error) {
		var answered executor.ExchangeReply
		err := r.persist(r.calls, "recording results", func(ctx context.Context) (err error) {
			answered, err = r.exchangeOn(ctx, s, executor.Exchange{
				Results: results, ClaimRequest: executor.ClaimRequest{WorkerUUID: call.WorkerUUID},
			})
			return err
		})
		return answered.Answers, err
	}

	answers, err := send(call.Results)
	if err == nil {
		return answers, true
	}
	for i, result := range call.Results {
		one, err := send(call.Results[i : i+1])
		if err != nil && r.calls.Err() == nil {
			r.log.Error("a result was refused; the step fails", r.facts.of(result.StepClaim), "error", err)
			one, err = send([]executor.StepResult{failure(result, "the database refused the result: "+err.Error())})
		}
		switch {
		case err == nil:
			answers = append(answers, one...)
		case r.calls.Err() != nil:
			return answers, false
		default:
			r.log.Error("a failure was refused; the step runs again when its lease has ended",
				r.facts.of(result.StepClaim), "error", err)
			answers = append(answers, executor.StepAnswer{StepUUID: result.StepUUID, ClaimNo: result.ClaimNo, Answer: "refused"})
		}
	}
	return answers, false
}

// failure is a result turned into a permanent failure.
func failure(result executor.StepResult, text string) executor.StepResult {
	return executor.StepResult{
		StepClaim: result.StepClaim, ExecutionTime: result.ExecutionTime, Error: text, Permanent: true,
	}
}

// persist makes a call until it succeeds, and returns nil; or until the database refuses the call
// itself, so that it would for ever, or ctx ends, and returns that error.
func (r *run) persist(ctx context.Context, what string, call func(ctx context.Context) error) error {
	for wait := firstRetry; ; wait = min(2*wait, maxRetry) {
		err := r.once(ctx, call)
		if err == nil || refuses(err) {
			return err
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		r.log.Warn(what+" failed; trying again", "error", err, "again_in", wait)
		timer := time.NewTimer(jittered(wait))
		select {
		case <-ctx.Done():
		case <-timer.C:
		}
		timer.Stop()
	}
}

func (r *run) once(ctx context.Context, call func(ctx context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, callWithin)
	defer cancel()
	return call(ctx)
}

// refuses says whether an error is the database's judgement of a call, which another try does not change.
// A worker also waits for an installation to be mended: results must not suffer for it.
func refuses(err error) bool { return pgerr.Of(err) == pgerr.Judged }

// takeExchange takes the answer to an exchange in, or that its claim was refused.
func (l *loop) takeExchange(call exchangeCall, answered executor.ExchangeReply, refused error) {
	l.takeAnswers(call.Results, answered.Answers)
	l.giveBack(call.groups, call.Limit-len(answered.Claimed))
	l.lastEvent = time.Now()
	if len(call.groups) == 0 {
		return
	}
	if refused != nil || l.calls.Err() != nil {
		l.claimRefused(call, refused)
		return
	}

	claimed := answered.Claimed
	l.busy = len(call.Results)+len(claimed) >= busyBatch
	l.counts.claimed.Add(int64(len(claimed)))
	if len(claimed) > 0 {
		l.fruitless = 0
	}
	full := len(claimed) == call.Limit
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

// take puts a claimed step into the queue. The place it takes was taken by the claim, for every group that the
// claim was for.
func (l *loop) take(call exchangeCall, step executor.ClaimedStep) {
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
		l.releases = append(l.releases, executor.StepClaim{StepUUID: step.StepUUID, ClaimNo: step.ClaimNo})
		return
	}
	l.queue = append(l.queue, queued{step: step, entry: e, group: g, since: time.Now(), worker: call.WorkerUUID})
}

// claimRefused waits before the next claim: the namespace may be registered, the right granted by then.
func (l *loop) claimRefused(call exchangeCall, refused error) {
	l.missed(call.groups)
	if l.calls.Err() != nil {
		return
	}
	l.fruitless = min(max(refusedWait, 2*l.fruitless), max(refusedWait, l.config.PollInterval))
	l.claimFrom = time.Now().Add(jittered(l.fruitless))
	l.log.Warn("a claim was refused; trying again", "error", refused, "again_in", l.fruitless)
}

// takeAnswers takes the answers to results in. Results without an answer are lost: the worker gave up.
func (l *loop) takeAnswers(results []executor.StepResult, answers []executor.StepAnswer) {
	l.lost += len(results) - len(answers)
	for i, answer := range answers {
		settled := true
		switch answer.Answer {
		case "completed", "already_complete":
			l.counts.completed.Add(1)
		case "recorded":
			if results[i].Error == "" {
				l.counts.completed.Add(1)
			} else {
				l.counts.failed.Add(1)
			}
		case "retrying", "failed":
			l.counts.failed.Add(1)
			l.noteFailure(results[i], answer)
		case "busy":
			settled = false
			l.later = append(l.later, delayed{at: time.Now().Add(resendBusy), result: results[i]})
		case "too_large":
			settled = false
			text := fmt.Sprintf(`the result of %d bytes is over the setting "result_bytes"`, len(results[i].Results))
			l.pending = append(l.pending, failure(results[i], text))
		default: // stale, cancelled, not_found, and refused results
			l.counts.refused.Add(1)
			l.log.Warn("a result came too late or was refused", l.facts.of(results[i].StepClaim), "answer", answer.Answer)
		}
		if settled {
			l.facts.remove(results[i].StepClaim)
		}
	}
}

func (l *loop) noteFailure(result executor.StepResult, answer executor.StepAnswer) {
	first, _, _ := strings.Cut(result.Error, "\n")
	if answer.Answer == "failed" {
		l.log.Error("a step failed", l.facts.of(result.StepClaim), "error", first)
		return
	}
	l.log.Info("a step failed and will be retried", l.facts.of(result.StepClaim), "error", first, "at", answer.NextRetryAt)
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
	n := min(len(l.releases), maxBatch)
	claims := append([]executor.StepClaim{}, l.releases[:n]...)
	l.releases = l.releases[n:]
	l.start(func(*slot) reply {
		left := claims
		err := l.persist(l.calls, "handing steps back", func(ctx context.Context) error {
			answers, err := l.db.ReleaseSteps(ctx, left)
			if err != nil {
				return err
			}
			left = slices.DeleteFunc(slices.Clone(left), func(claim executor.StepClaim) bool {
				return !slices.ContainsFunc(answers, func(answer executor.StepAnswer) bool {
					return answer.StepUUID == claim.StepUUID && answer.Answer == "busy"
				})
			})
			if len(left) > 0 {
				return fmt.Errorf("another session holds %d of the steps", len(left))
			}
			return nil
		})
		return reply{take: func(l *loop) {
			if err != nil {
				l.log.Warn("steps could not be handed back; they run again when their leases have ended",
					"steps", len(claims), "error", err)
				return
			}
			l.counts.released.Add(int64(len(claims)))
		}}
	})
}

// askWhenDue asks when there will be something to do, so that the loop sleeps until then.
func (l *loop) askWhenDue() {
	l.asked = true
	l.start(func(*slot) reply {
		var due *time.Time
		err := l.once(l.calls, func(ctx context.Context) (err error) {
			due, err = l.db.NextDueAt(ctx, l.config.Namespaces, false)
			return err
		})
		return reply{take: func(l *loop) {
			if err != nil || due == nil {
				return // the poll will do
			}
			now := time.Now()
			at := l.offset.local(*due)
			if at.After(now) {
				l.pollBy(at)
				return
			}
			// It is not for us: other handlers' work, or held by another session.
			l.pollBy(now.Add(l.fruitless))
			l.fruitless = min(max(firstFruitless, 2*l.fruitless), l.config.PollInterval)
		}}
	})
}
