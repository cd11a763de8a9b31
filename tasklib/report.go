package tasklib

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/codec"
	"github.com/pgtasker/pgtasker/internal/pgerr"
	"github.com/pgtasker/pgtasker/internal/seal"
	"github.com/pgtasker/pgtasker/tasklib/gen"
)

// report is the outcome of one run.
type report struct {
	kind    reportKind
	id      uuid.UUID
	claimNo int32
	name    string
	result  json.RawMessage

	text       string
	permanent  bool
	retryAfter float64 // in seconds, NaN for the backoff; of a released run the snooze, 0 for none

	late bool // the report could not be delivered
}

type reportKind int

const (
	reportCompleted reportKind = iota
	reportFailed
	reportReleased
	reportKinds
)

func (r *report) failure(ctx context.Context, keys codec.Codec, err, cause error) {
	r.text, r.retryAfter = err.Error(), math.NaN()
	if errors.Is(cause, errTimeout) && !errors.Is(err, errTimeout) {
		r.text = errTimeout.Error() + ": " + r.text
	}
	r.text = cutText(strings.ToValidUTF8(strings.ReplaceAll(r.text, "\x00", "�"), "�"))
	if unread := new(unreadError); keys != nil && !errors.As(err, unread) {
		sealed, failed := seal.Error(ctx, keys, seal.Of("error", r.id, r.name), seal.Class(err), r.text)
		if failed != nil {
			sealed = failed.Error()
		}
		r.text = sealed
	}
	var permanent *permanentError
	r.permanent = errors.As(err, &permanent)
	var snooze *snoozeError
	if errors.As(err, &snooze) && !r.permanent {
		r.kind, r.retryAfter = reportReleased, snooze.after.Seconds()
	}
	var after *retryAfterError
	if errors.As(err, &after) {
		r.retryAfter = max(after.after.Seconds(), 0)
	}
}

// maxError is how many characters of an error's text the database keeps at most: the largest value of the setting "error_bytes".
const maxError = 16 << 20

func cutText(text string) string {
	if len(text) <= maxError || utf8.RuneCountInString(text) <= maxError {
		return text
	}
	kept := 0
	for at := range text {
		if kept == maxError {
			return text[:at]
		}
		kept++
	}
	return text
}

// reportAll reports runs in batches until all are reported. A batch has the runs that finished while the last batch was under way.
func (w *Worker) reportAll(ctx context.Context) {
	delay := firstDelay
	for ctx.Err() == nil {
		batch, again, done := w.outbox.take(time.Now())
		if len(batch) > 0 {
			delay = w.send(ctx, batch, delay)
			continue
		}
		if done {
			return
		}
		timer := time.NewTimer(again)
		select {
		case <-ctx.Done():
		case <-w.outbox.signal:
		case <-timer.C:
		}
		timer.Stop()
	}
}

const reporting = "reporting runs"

// send makes one call. After the call its reports are judged, or kept until the database answers or a person removes the reason of the
// refusal, or split: one run's report must not keep others from being recorded.
func (w *Worker) send(ctx context.Context, batch []report, delay time.Duration) (next time.Duration) {
	kind := batch[0].kind
	var outcomes []gen.TaskOutcome
	err := w.within(ctx, callTimeout, reporting, func(ctx context.Context) (err error) {
		outcomes, err = w.call(ctx, kind, batch)
		return err
	})
	switch {
	case err == nil:
		for _, o := range outcomes {
			if o.Outcome == "stale" {
				w.logger.Warn("a report came too late", "task", o.ID, "name", batch[o.Position-1].name)
			}
		}
		w.settle(batch)
	case ctx.Err() != nil: // the worker has given up, and its owed reports are counted
	case pgerr.Of(err) == pgerr.Passing:
		w.outbox.undelivered(batch, pgerr.TimedOut(err))
		w.watch.Pause(ctx, delay)
		return min(2*delay, maxRetry)
	case len(batch) > 1 && pgerr.ConcernsSome(err):
		w.outbox.split(batch)
	case pgerr.Of(err) == pgerr.ToMend:
		w.outbox.postpone(batch, !pgerr.ConcernsSome(err))
	case kind == reportCompleted:
		r := batch[0]
		r.kind, r.result = reportFailed, nil
		r.failure(ctx, w.client.keysOf(r.name), Permanent(err), nil)
		w.outbox.replace(batch[0], r)
	default:
		w.logger.Error("a run could not be reported; its task runs again when the lock has ended",
			"task", batch[0].id, "name", batch[0].name, "error", err)
		w.settle(batch)
	}
	return firstDelay
}

// settle forgets the judged reports, and wakes the claims.
func (w *Worker) settle(batch []report) {
	w.outbox.settle(batch)
	w.makeRoom()
}

// makeRoom wakes the claims after a run is recorded.
func (w *Worker) makeRoom() {
	w.freedByReport.Store(true)
	if w.limited.Load() {
		signal(w.wake) // Its place in the limit is free now.
	}
	signal(w.freed)
}

func (w *Worker) call(ctx context.Context, kind reportKind, batch []report) ([]gen.TaskOutcome, error) {
	ids, claimNos := make([]uuid.UUID, len(batch)), make([]int32, len(batch))
	for i, r := range batch {
		ids[i], claimNos[i] = r.id, r.claimNo
	}
	switch kind {
	case reportCompleted:
		p := gen.CompleteTasksParams{WorkerID: w.id, Ids: ids, ClaimNos: claimNos, Results: make([]json.RawMessage, len(batch))}
		for i, r := range batch {
			p.Results[i] = r.result
		}
		return w.functions.CompleteTasks(ctx, p)
	case reportFailed:
		p := gen.FailTasksParams{WorkerID: w.id, Ids: ids, ClaimNos: claimNos}
		for _, r := range batch {
			p.Errors = append(p.Errors, r.text)
			p.Permanent = append(p.Permanent, r.permanent)
			p.RetryAfterSeconds = append(p.RetryAfterSeconds, r.retryAfter)
		}
		return w.functions.FailTasks(ctx, p)
	default:
		p := gen.ReleaseTasksParams{WorkerID: w.id, Ids: ids, ClaimNos: claimNos}
		for _, r := range batch {
			p.SnoozeSeconds, p.Reasons = append(p.SnoozeSeconds, r.retryAfter), append(p.Reasons, r.text)
		}
		return w.functions.ReleaseTasks(ctx, p)
	}
}
