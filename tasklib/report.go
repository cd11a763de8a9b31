package tasklib

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"strings"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/internal/pgerr"
	"github.com/pgtasker/pgtasker/tasklib/gen"
)

// report is what became of one run.
type report struct {
	kind    reportKind
	id      uuid.UUID
	claimNo int32
	name    string
	result  json.RawMessage

	text       string
	permanent  bool
	retryAfter float64 // seconds; NaN for the backoff
}

type reportKind int

const (
	reportCompleted reportKind = iota
	reportFailed
	reportReleased
	reportKinds
)

func (r *report) failure(err, cause error) {
	r.text, r.retryAfter = err.Error(), math.NaN()
	if errors.Is(cause, ErrTimeout) && !errors.Is(err, ErrTimeout) {
		r.text = ErrTimeout.Error() + ": " + r.text
	}
	r.text = strings.ToValidUTF8(strings.ReplaceAll(r.text, "\x00", "�"), "�")
	var permanent *permanentError
	r.permanent = errors.As(err, &permanent)
	var after *retryAfterError
	if errors.As(err, &after) {
		r.retryAfter = max(after.after.Seconds(), 0)
	}
}

// reportAll reports runs in batches until there are no more: as many as have come while the last batch was on its way.
func (w *Worker) reportAll(ctx context.Context) {
	var batches [reportKinds][]report
	for r := range w.reports {
		batches[r.kind] = append(batches[r.kind], r)
		for n := 1; n < maxBatch; n++ {
			select {
			case more, open := <-w.reports:
				if open {
					batches[more.kind] = append(batches[more.kind], more)
					continue
				}
			default:
			}
			break
		}
		for kind := range batches {
			w.send(ctx, reportKind(kind), batches[kind])
			if len(batches[kind]) > 0 {
				w.freedByReport.Store(true)
				if w.limited.Load() {
					signal(w.wake) // Its place under the limit is free now.
				}
			}
			w.mu.Lock()
			for _, r := range batches[kind] {
				delete(w.unreported, r.id)
			}
			w.mu.Unlock()
			batches[kind] = batches[kind][:0]
		}
	}
}

// send reports a batch, waits for a database that is away, and takes apart a batch that the database
// refuses: one run's result must not keep others from being recorded.
func (w *Worker) send(ctx context.Context, kind reportKind, batch []report) {
	if len(batch) == 0 {
		return
	}
	var outcomes []gen.TaskOutcome
	// A run's result does not suffer for an installation that is being repaired, either.
	err := w.insist(ctx, "report runs", pgerr.Judged, func(ctx context.Context) (err error) {
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
	case len(batch) > 1:
		half := len(batch) / 2
		w.send(ctx, kind, batch[:half])
		w.send(ctx, kind, batch[half:])
	case kind == reportCompleted:
		r := batch[0]
		r.kind = reportFailed
		r.failure(Permanent(err), nil)
		w.send(ctx, reportFailed, []report{r})
	default:
		w.logger.Error("a run could not be reported; its task runs again when the lock has ended",
			"task", batch[0].id, "name", batch[0].name, "error", err)
	}
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
		return w.functions.ReleaseTasks(ctx, w.id, ids, claimNos)
	}
}
