package worker

import (
	"fmt"
	"strings"
	"time"

	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/pgjson"
)

// The worker keeps a finished result, and sends it again, until the database has accepted or refused it. Such a result is called owed.
// docs/http-workers.md describes the three kinds of answers.

const (
	// maxCall bounds the bytes of results in a call. A call with a single result may be larger.
	maxCall = 8 << 20
	// maxOwed is the total size of owed results above which the worker claims no further steps.
	maxOwed = 64 << 20
	// maxResult is how many bytes one result may have: far above the default of the setting result_bytes.
	maxResult = 64 << 20
	// overhead is the memory that an owed result takes in addition to its text, in bytes.
	overhead = 256
)

// owed is a result that the database has neither accepted nor refused yet.
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

// owe adds a finished result to the owed results.
func (l *loop) owe(result direct.StepResult) {
	o := owed{StepResult: result}
	l.pending = append(l.pending, o)
	l.noteLarge(o)
	l.owing++
	l.bytes += o.bytes()
}

// largeEvery is how often a worker warns of large results of one handler.
const largeEvery = 10 * time.Minute

// noteLarge counts a result that is larger than half of the limit, and logs a warning, at most one for each handler in largeEvery.
func (l *loop) noteLarge(o owed) {
	most := maxResult
	if n := l.resultBytes.Load(); n > 0 {
		most = min(most, int(n))
	}
	if len(o.Results) <= most/2 {
		return
	}
	l.counts.large.Add(1)
	step := l.facts.step(o.StepClaim)
	for _, observe := range l.onLarge {
		observe(step)
	}
	if at, warned := l.warned[step.Handler]; warned && time.Since(at) < largeEvery {
		return
	}
	l.warned[step.Handler] = time.Now()
	l.log.Warn("a result is large; keep it elsewhere and return a reference", l.facts.of(o.StepClaim), "bytes", len(o.Results), "most", most)
}

// settle removes an owed result that the database has accepted or refused.
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

// mark sets whether results are late.
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

// tooLarge returns the error for a result that is too large for the database.
func tooLarge(result []byte) string {
	if pgjson.Depth(result) > pgjson.Deepest {
		return fmt.Sprintf("the result is nested deeper than %d levels", pgjson.Deepest)
	}
	return fmt.Sprintf(`the result of %d bytes is over the setting "result_bytes"`, len(result))
}
