package worker

import (
	"context"
	"slices"
	"time"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/internal/direct"
)

// Start creates a task, as executor.CreateTask does. It also runs the first steps of the task in this process, without a separate claim, as
// many steps as w has free handlers for. Any worker may claim the other steps, and also the first steps if the process dies. Start returns
// when the task is committed, before its steps are done.
//
// Start only creates the task if w does not run, is stopping, is fully occupied or does not serve the namespace. Even if Start returns an
// error, the task may exist, because the answer to a commit can be lost. The steps of such a task run when their lease has ended, and a
// repeated request with the same identity finds the task.
func (w *Worker) Start(ctx context.Context, request executor.TaskRequest) (executor.TaskCreation, error) {
	request, err := w.config.sealRequest(ctx, w.pool, request)
	if err != nil {
		return executor.TaskCreation{}, err
	}
	if r := w.live.Load(); r != nil {
		return r.startTask(ctx, request)
	}
	return direct.New(w.pool).CreateTask(ctx, request)
}

// startTask lets the loop keep places free, starts the task, and gives the claimed step to the loop.
func (r *run) startTask(ctx context.Context, request executor.TaskRequest) (executor.TaskCreation, error) {
	if r.config.Namespaces != nil && !slices.Contains(r.config.Namespaces, request.Namespace) {
		return r.db.CreateTask(ctx, request)
	}
	call, ok := r.reserve(ctx)
	if !ok {
		return r.db.CreateTask(ctx, request)
	}

	calling, cancel := context.WithTimeout(ctx, callWithin)
	defer cancel()
	defer context.AfterFunc(r.calls, cancel)()
	started, err := r.db.StartTask(calling, direct.StartRequest{TaskRequest: request, ClaimRequest: call.ClaimRequest})
	// The loop cannot have ended: it waits for the places that it keeps.
	r.asks <- func(l *loop) { l.takeStarted(call, started.Claimed) }
	return started.TaskCreation, err
}

// reserve asks the loop for places. It returns false if the loop has none or has ended.
func (r *run) reserve(ctx context.Context) (exchangeCall, bool) {
	granted := make(chan exchangeCall, 1)
	select {
	case r.asks <- func(l *loop) { granted <- l.reserve(time.Now()) }:
	case <-r.over:
		return exchangeCall{}, false
	case <-ctx.Done():
		return exchangeCall{}, false
	}
	call := <-granted
	return call, call.Limit > 0
}

// reserve takes places for the first steps of a task that is about to be started, for each group that has any.
func (l *loop) reserve(now time.Time) exchangeCall {
	var call exchangeCall
	if l.stopping || l.free <= 0 {
		return call
	}
	call.Limit = min(l.free, maxBatch)
	for _, g := range l.groups {
		if g.free > 0 {
			call.groups = append(call.groups, g)
			call.Handlers = append(call.Handlers, g.handlers...)
			call.Limit = min(call.Limit, g.free)
		}
	}
	if len(call.groups) == 0 {
		call.Limit = 0
		return call
	}
	l.giveBack(call.groups, -call.Limit)
	l.starting++
	call.WorkerUUID, call.Lease, call.sent = l.slots[0].worker, l.config.Lease, now
	return call
}

// takeStarted begins the steps that were claimed with their task, and frees the unused places.
func (l *loop) takeStarted(call exchangeCall, claimed []gen.ClaimedStep) {
	l.starting--
	l.giveBack(call.groups, call.Limit-len(claimed))
	l.counts.claimed.Add(int64(len(claimed)))
	for _, step := range claimed {
		l.take(call, step)
	}
	l.lastEvent, l.asked = time.Now(), false
	l.beginQueued(time.Now())
}
