package worker

import (
	"context"
	"slices"
	"time"

	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/pgerr"
)

const (
	recording = "recording results"
	claiming  = "claiming steps"
)

// exchangeCall is an exchange, the results that it sends, and the groups that it claims for.
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
		l.lookAgain() // without notifications the worker does not learn which steps these results made ready for its other handlers
	}
	for _, step := range claimed {
		l.take(call, step)
	}
	l.beginQueued(time.Now())
}

// take puts a claimed step into the queue. The claim has taken a place for the step in every group for which it claimed, so
// take frees the places in the other groups.
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
