package worker

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/direct"
)

const (
	// logStream is the stream of [Step.Logger].
	logStream = "log"
	// logEvery is how long a line waits for others, so that a line costs no transaction.
	logEvery = 500 * time.Millisecond
	// logLines and logBytes bound the lines of that time: further lines are counted and dropped.
	logLines = 999
	logBytes = 512 << 10
	// logLine bounds one line.
	logLine = 8 << 10
	// logWithin is how long the worker tries to write the last lines after the handler has returned.
	logWithin = 5 * time.Second
)

// SetValue sets a named value of the step, and replaces the earlier value of that name. [github.com/pgtasker/pgtasker/executor.Tasks] has
// methods that read the value or wait for it. SetValue returns ErrLost or ErrCancelled if the step no longer belongs to this worker. If a
// durable function runs again, it does not set the values of earlier runs again. In a job that a test made, SetValue does nothing.
func (s *Step) SetValue(ctx context.Context, name string, value any) error {
	raw, err := encode(value)
	if err != nil {
		return fmt.Errorf("the value %q of step %q: %w", name, s.Name, err)
	}
	if s.source == nil || s.repeats() {
		return nil
	}
	return s.source.setValue(ctx, sqlfn.SetValueParams{StepUUID: s.StepUUID, ClaimNo: s.claimNo, Name: name, Value: raw})
}

// Progress sets the value "progress" of the step. The argument done is the progress from 0 to 1, and text describes the current work. Lists
// of tasks show this value.
func (s *Step) Progress(ctx context.Context, done float64, text string) error {
	return s.SetValue(ctx, "progress", struct {
		Done float64 `json:"done"`
		Text string  `json:"text,omitempty"`
	}{done, text})
}

// Append appends at most 1,000 items to a stream of the step, in one transaction. Readers get each item once, in the order of the items'
// numbers. Append returns ErrLost or ErrCancelled as [Step.SetValue] does, and ErrTooLarge if the stream is full. Append many items in one
// call, since a call costs more than an item. If a durable function runs again, it does not append the items of earlier runs again.
func (s *Step) Append(ctx context.Context, stream string, items ...any) error {
	if len(items) == 0 {
		return nil
	}
	raw, err := encode(items)
	if err != nil {
		return fmt.Errorf("items of stream %q of step %q: %w", stream, s.Name, err)
	}
	if s.source == nil || s.repeats() {
		return nil
	}
	return s.streams.append(ctx, s, stream, raw)
}

// Logger returns a logger that writes its lines to the stream "log" of the step. Lines are written together, twice a second and before the
// step ends or waits. At most 1,000 lines are written at a time. Further lines are dropped, and an added line says how many lines were
// dropped. The page and the command "tasker task log" show the lines. Use slog.NewMultiHandler to write the lines to the program's own log,
// too.
func (s *Step) Logger() *slog.Logger {
	if s.source == nil {
		return slog.New(slog.DiscardHandler)
	}
	return slog.New(slog.NewJSONHandler(logWriter{s}, nil))
}

// repeats says whether a durable function passes through calls that an earlier run has made.
func (s *Step) repeats() bool {
	return s.function != nil && s.function.repeats()
}

// stepStreams are the streams that one claim writes.
type stepStreams struct {
	appending sync.Mutex // held while a batch is written: batches are written in order
	batches   map[string]int32

	mu      sync.Mutex
	lines   [][]byte
	bytes   int
	dropped int
	closed  bool // the handler has returned
	timer   *time.Timer
}

// reopen begins another run under the same claim.
func (w *stepStreams) reopen() {
	w.mu.Lock()
	w.closed = false
	w.mu.Unlock()
}

// append writes a batch. The number of a batch lets the database recognise a repeated batch.
func (w *stepStreams) append(ctx context.Context, s *Step, stream string, items json.RawMessage) error {
	w.appending.Lock()
	defer w.appending.Unlock()
	return w.write(ctx, s, stream, items)
}

func (w *stepStreams) write(ctx context.Context, s *Step, stream string, items json.RawMessage) error {
	if w.batches == nil {
		w.batches = map[string]int32{}
	}
	// A number is used once, also if the call fails: the batch may have been written nevertheless.
	w.batches[stream]++
	return s.source.appendItems(ctx, sqlfn.AppendItemsParams{
		StepUUID: s.StepUUID, ClaimNo: s.claimNo, Stream: stream, Items: items, BatchNo: w.batches[stream],
	})
}

// logWriter takes the lines of a step's logger.
type logWriter struct{ s *Step }

func (l logWriter) Write(line []byte) (int, error) {
	n := len(line)
	if l.s.repeats() {
		return n, nil
	}
	line = bytes.TrimRight(line, "\n")
	if len(line) > logLine {
		line = shortened(line)
	}
	w := l.s.streams
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return n, nil
	}
	if len(w.lines) >= logLines || w.bytes+len(line) > logBytes {
		w.dropped++
		return n, nil
	}
	w.lines = append(w.lines, bytes.Clone(line))
	w.bytes += len(line)
	if w.timer == nil {
		w.timer = time.AfterFunc(logEvery, func() { w.flush(l.s.ctx, l.s) })
	}
	return n, nil
}

// shortened is the beginning of a line that is too long.
func shortened(line []byte) []byte {
	var fields struct {
		Time  string `json:"time"`
		Level string `json:"level"`
		Msg   string `json:"msg"`
	}
	if json.Unmarshal(line, &fields) != nil || len(fields.Msg) > logLine/8 {
		fields.Msg = string([]rune(fields.Msg)[:min(len([]rune(fields.Msg)), logLine/8)])
	}
	short, _ := json.Marshal(map[string]any{"time": fields.Time, "level": fields.Level, "msg": fields.Msg, "cut": len(line)})
	return short
}

// flush writes the lines that wait. Lines that the database refuses are lost: the program's own log says so.
func (w *stepStreams) flush(ctx context.Context, s *Step) {
	w.appending.Lock()
	defer w.appending.Unlock()
	w.mu.Lock()
	lines, dropped := w.lines, w.dropped
	w.lines, w.bytes, w.dropped = nil, 0, 0
	if w.timer != nil {
		w.timer.Stop()
		w.timer = nil
	}
	w.mu.Unlock()
	if dropped > 0 {
		lines = append(lines, fmt.Appendf(nil, `{"time": %q, "level": "WARN", "msg": "lines were dropped", "dropped": %d}`,
			time.Now().Format(time.RFC3339Nano), dropped))
	}
	if len(lines) == 0 {
		return
	}
	items := append(append([]byte("["), bytes.Join(lines, []byte(","))...), ']')
	// PostgreSQL has no NUL in a text.
	items = bytes.ReplaceAll(items, []byte(`\u0000`), []byte(`\ufffd`))
	ctx, cancel := outlive(ctx, logWithin)
	defer cancel()
	if err := w.write(ctx, s, logStream, items); err != nil && !errors.Is(err, ErrLost) && !errors.Is(err, ErrCancelled) {
		s.source.logger().Warn("lines of a step's log were not written", "step_uuid", s.StepUUID, "lines", len(lines), "error", err)
	}
}

// flushLog writes the lines of the step's logger before the step waits.
func (s *Step) flushLog() {
	if s.streams != nil {
		s.streams.flush(s.ctx, s)
	}
}

// closeLog writes the lines of the step's logger when the handler has returned, and accepts no further lines.
func (s *Step) closeLog(ctx context.Context) {
	s.streams.mu.Lock()
	s.streams.closed = true
	s.streams.mu.Unlock()
	s.streams.flush(ctx, s)
}

func (r *run) appendItems(ctx context.Context, batch sqlfn.AppendItemsParams) error {
	return r.streamed(ctx, "appending to a stream", direct.StepClaim{StepUUID: batch.StepUUID, ClaimNo: batch.ClaimNo},
		func(ctx context.Context) (gen.StreamAnswer, error) { return r.db.AppendItems(ctx, batch) })
}

func (r *run) setValue(ctx context.Context, value sqlfn.SetValueParams) error {
	return r.streamed(ctx, "setting a value", direct.StepClaim{StepUUID: value.StepUUID, ClaimNo: value.ClaimNo},
		func(ctx context.Context) (gen.StreamAnswer, error) { return r.db.SetValue(ctx, value) })
}

func (r *run) logger() *slog.Logger { return r.log }

// streamed repeats a call until the database has answered.
func (r *run) streamed(
	ctx context.Context, what string, claim direct.StepClaim, call func(ctx context.Context) (gen.StreamAnswer, error),
) error {
	var answer gen.StreamAnswer
	var err error
	for try := 1; ; try++ {
		err = r.persist(ctx, what, func(ctx context.Context) (err error) {
			answer, err = call(ctx)
			return err
		})
		if code(err) != "TK409" || try == lockedTries { // another session keeps the step or the stream locked
			break
		}
	}
	if err == nil && answer.Answer != gen.LeaseAnswerSaved {
		return r.endStep(claim, answer.Answer == gen.LeaseAnswerCancelled)
	}
	return err
}

func (d alone) appendItems(ctx context.Context, batch sqlfn.AppendItemsParams) error {
	if d.db == nil {
		return nil
	}
	answer, err := d.db.AppendItems(ctx, batch)
	return streamed(answer, err)
}

func (d alone) setValue(ctx context.Context, value sqlfn.SetValueParams) error {
	if d.db == nil {
		return nil
	}
	answer, err := d.db.SetValue(ctx, value)
	return streamed(answer, err)
}

func (alone) logger() *slog.Logger { return slog.Default() }

func streamed(answer gen.StreamAnswer, err error) error {
	switch {
	case err != nil:
		return err
	case answer.Answer == gen.LeaseAnswerCancelled:
		return ErrCancelled
	case answer.Answer != gen.LeaseAnswerSaved:
		return ErrLost
	}
	return nil
}
