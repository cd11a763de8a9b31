package workertest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/durable"
	"github.com/pgtasker/pgtasker/internal/inner"
	"github.com/pgtasker/pgtasker/internal/span"
	"github.com/pgtasker/pgtasker/template"
	"github.com/pgtasker/pgtasker/worker"
)

// ErrWaiting says that a function waits for a signal that the test has not sent.
var ErrWaiting = errors.New("the function waits for a signal")

// Function is a durable function in a test without a database. Its time stands still unless the function sleeps or snoozes, and the test
// sends the signals. The function is suspended and runs again as in a worker.
type Function[In, Out any] struct {
	// DB begins the transactions of OnceTx. Default: transactions in which every statement fails.
	DB interface {
		Begin(ctx context.Context) (pgx.Tx, error)
	}

	t       testing.TB
	w       *worker.Worker
	claimed gen.ClaimedStep
	out     *Out
	err     *error
	memory  *memory
	runs    int
}

// NewFunction returns a durable function that runs the handler with this step, as a worker would.
//
//	f := workertest.NewFunction(t, fulfil, workertest.Step{Context: Order{Amount: 12}})
//	f.Signal("approved", Approval{OK: true})
//	parcel, err := f.Run()
func NewFunction[In, Out any](t testing.TB, handler worker.Handler[In, Out], step Step) *Function[In, Out] {
	t.Helper()
	w, err := worker.New(nil, worker.Config{})
	if err != nil {
		t.Fatal("workertest:", err)
	}
	f := &Function[In, Out]{t: t, w: w, claimed: step.claimed(t), out: new(Out), err: new(error)}
	f.memory = &memory{crashAt: -1, now: time.Date(2026, time.January, 1, 12, 0, 0, 0, time.UTC)}
	worker.Handle(w, f.claimed.Handler, func(ctx context.Context, job *worker.Job[In]) (Out, error) {
		out, err := handler(ctx, job)
		*f.out, *f.err = out, err
		return out, err
	})
	return f
}

// Signal sends a signal to the function, which takes the signal at its next wait for this name. Conditions and schemas of the wait are not
// evaluated, since they need a database. [Run] evaluates them.
func (f *Function[In, Out]) Signal(name string, payload any) {
	f.t.Helper()
	raw, err := json.Marshal(payload)
	if err != nil {
		f.t.Fatalf("workertest: the payload of signal %q: %v", name, err)
	}
	f.memory.signals = append(f.memory.signals, signal{name: name, payload: raw, sentAt: f.memory.now})
}

// Event emits an event to the function, which takes the event at its next wait for that name and key. Emit each event once. The wait finds
// the event even if it was emitted long before.
func (f *Function[In, Out]) Event(name, key string, payload any) {
	f.t.Helper()
	raw, err := json.Marshal(payload)
	if err != nil {
		f.t.Fatalf("workertest: the payload of event %q: %v", name, err)
	}
	f.memory.signals = append(f.memory.signals, signal{name, raw, &key, f.memory.now})
}

// Run runs the function until it has ended, and returns its result. Sleeps, snoozes and waits for retries pass at once. The error is
// ErrWaiting if the function waits for a signal or an event. The test then sends the signal or the event, or lets time pass with Advance,
// and calls Run again.
func (f *Function[In, Out]) Run() (Out, error) {
	f.t.Helper()
	m := f.memory
	m.db = f.DB
	for range maxRuns {
		var none Out
		if m.wait != nil && !m.resume() {
			return none, ErrWaiting
		}
		f.claimed.Attempt = int32(m.attempts + 1)
		f.claimed.Kept = m.delivered(f.t)
		*f.out, *f.err = none, nil
		f.runs++
		result, err := inner.Of(f.w).Do(durable.With(f.t.Context(), m), nil, f.claimed)
		switch {
		case m.diverged != nil:
			return none, m.diverged
		case m.crashed:
			m.crashed = false // another worker takes over, and the attempt does not count
		case errors.Is(err, worker.ErrSuspended):
		case err != nil:
			return none, err
		case result.Error == "":
			return *f.out, nil
		case result.Permanent || m.attempts+1 >= int(f.claimed.MaxAttempts):
			if *f.err != nil {
				return *f.out, *f.err
			}
			return none, errors.New(result.Error)
		default:
			m.attempts++
			f.claimed.LastError = &result.Error
		}
	}
	f.t.Fatal("workertest:", "the function does not end")
	panic("unreachable")
}

// Advance moves the function's time forward, for example to the timeout of a wait.
func (f *Function[In, Out]) Advance(d time.Duration) { f.memory.now = f.memory.now.Add(d) }

// Now is the function's time.
func (f *Function[In, Out]) Now() time.Time { return f.memory.now }

// Runs returns how often the handler has run.
func (f *Function[In, Out]) Runs() int { return f.runs }

// Kept returns the names of the kept results, in the order of the function's calls.
func (f *Function[In, Out]) Kept() []string {
	names := make([]string, len(f.memory.kept))
	for i, kept := range f.memory.kept {
		names[i] = kept.Name
	}
	return names
}

// Waiting returns the signals for which the function waits.
func (f *Function[In, Out]) Waiting() []string {
	if f.memory.wait == nil {
		return nil
	}
	return f.memory.wait.signals
}

// CrashEverywhere runs a function once without a crash, and then once for each place where a worker may be lost: before and after each
// result that the function keeps. After the crash the function runs again from the top, as in another worker. Every run must have the same
// result. The function check tests the effects of a run, for example that a card was charged once for each key.
//
// The function make returns the durable function with its signals, and with new fakes of the services that it calls. In these crashes the
// deferred calls of the function run, unlike in a worker that is lost.
func CrashEverywhere[In, Out any](
	t *testing.T, make func(t *testing.T) *Function[In, Out], check func(t *testing.T, f *Function[In, Out], out Out, err error),
) {
	t.Helper()
	whole := make(t)
	want, wantErr := whole.Run()
	check(t, whole, want, wantErr)
	for i, place := range whole.memory.places {
		t.Run(strings.ReplaceAll(place, " ", "_"), func(t *testing.T) {
			f := make(t)
			f.memory.crashAt = i
			out, err := f.Run()
			if a, b := asJSON(t, want), asJSON(t, out); a != b || fmt.Sprint(wantErr) != fmt.Sprint(err) {
				t.Errorf("after a crash %s the function returns %s, %v; without it %s, %v", place, b, err, a, wantErr)
			}
			check(t, f, out, err)
		})
	}
}

func asJSON(t testing.TB, v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal("workertest:", err)
	}
	return string(raw)
}

// signal is a signal or, with a key, an event.
type signal struct {
	name    string
	payload json.RawMessage
	key     *string
	sentAt  time.Time
}

type memoryWait struct {
	call    direct.KeptCall
	signals []string
	events  [][2]string // names and keys
	due     time.Time   // zero for none
	by      string      // the Answer.By of a wait that time ends
}

// memory holds the kept results, the wait and the time of one function.
type memory struct {
	db       begins
	kept     []gen.KeptDetail
	round    int
	state    json.RawMessage
	attempts int
	signals  []signal
	tasks    map[string]func(json.RawMessage) (any, error)
	wait     *memoryWait
	now      time.Time
	diverged error

	places  []string // where a worker may be lost
	crashAt int
	crashed bool
}

var _ durable.World = (*memory)(nil)

var errCrash = errors.New("the worker is lost")

// place is a place where the worker may be lost.
func (m *memory) place(format string, args ...any) error {
	m.places = append(m.places, fmt.Sprintf(format, args...))
	if len(m.places)-1 == m.crashAt {
		m.crashed = true
		return errCrash
	}
	return nil
}

func (m *memory) delivered(t testing.TB) json.RawMessage {
	if len(m.kept) == 0 && m.round == 0 {
		return nil
	}
	return json.RawMessage(asJSON(t, map[string]any{"round": m.round, "count": len(m.kept), "results": m.kept, "state": m.state}))
}

// at returns the kept result at a position.
func (m *memory) at(call direct.KeptCall) (gen.KeptAnswer, bool) {
	if int(call.Position) > len(m.kept) {
		return gen.KeptAnswer{}, false
	}
	kept := m.kept[call.Position-1]
	answer := gen.KeptAnswer{Answer: gen.CallAnswerKnown, Value: kept.Value, Error: kept.Error}
	if kept.Name != call.Name || kept.Occurrence != call.Occurrence {
		answer.Answer = gen.CallAnswerDiverged
	}
	return answer, true
}

func (m *memory) add(call direct.KeptCall, value json.RawMessage, failure *string) {
	m.kept = append(m.kept, gen.KeptDetail{
		Position: call.Position, Name: call.Name, Occurrence: call.Occurrence, Value: value, Error: failure, KeptAt: m.now,
	})
	m.attempts = 0
}

func (m *memory) GetKeptResults(_ context.Context, _ uuid.UUID, after, limit int32) ([]gen.KeptDetail, error) {
	return m.kept[after:min(int(after+limit), len(m.kept))], nil
}

func (m *memory) KeepStepResult(
	_ context.Context, _ direct.StepClaim, call direct.KeptCall, value json.RawMessage, failure string,
) (gen.KeptAnswer, error) {
	if err := m.place("before %s is kept as call %d", call.Name, call.Position); err != nil {
		return gen.KeptAnswer{}, err
	}
	if answer, found := m.at(call); found {
		return answer, nil
	}
	answer := gen.KeptAnswer{Answer: gen.CallAnswerKept, Value: value}
	if failure != "" {
		answer.Error, answer.Value = &failure, nil
	}
	m.add(call, answer.Value, answer.Error)
	return answer, m.place("after %s is kept as call %d", call.Name, call.Position)
}

func (m *memory) KeepIn(
	ctx context.Context, _ pgx.Tx, claim direct.StepClaim, call direct.KeptCall, value json.RawMessage,
) (gen.KeptAnswer, error) {
	if err := m.place("before %s commits as call %d", call.Name, call.Position); err != nil {
		return gen.KeptAnswer{}, err
	}
	if answer, found := m.at(call); found {
		return answer, nil
	}
	m.add(call, value, nil)
	return gen.KeptAnswer{Answer: gen.CallAnswerKept, Value: value}, nil
}

func (m *memory) SuspendStep(
	_ context.Context, _ direct.StepClaim, call direct.KeptCall, wait json.RawMessage,
) (gen.KeptAnswer, error) {
	if err := m.place("before %s waits as call %d", call.Name, call.Position); err != nil {
		return gen.KeptAnswer{}, err
	}
	if answer, found := m.at(call); found {
		return answer, nil
	}
	if value, err := m.runTasks(wait); err != nil {
		return gen.KeptAnswer{}, worker.Permanent(err)
	} else if value != nil {
		m.add(call, value, nil)
		return gen.KeptAnswer{Answer: gen.CallAnswerEnded, Value: value}, m.place("after %s has ended as call %d", call.Name, call.Position)
	}
	var err error
	if m.wait, err = m.waitOf(call, wait); err != nil {
		m.wait = nil
		return gen.KeptAnswer{}, worker.Permanent(err)
	}
	over := !m.wait.due.IsZero() && !m.now.Before(m.wait.due)
	if (over || slices.ContainsFunc(m.signals, m.wait.takes)) && m.resume() {
		return gen.KeptAnswer{Answer: gen.CallAnswerEnded, Value: m.kept[len(m.kept)-1].Value},
			m.place("after %s has ended as call %d", call.Name, call.Position)
	}
	return gen.KeptAnswer{Answer: gen.CallAnswerSuspended}, nil
}

func (w *memoryWait) takes(s signal) bool {
	if s.key != nil {
		return slices.Contains(w.events, [2]string{s.name, *s.key})
	}
	return slices.Contains(w.signals, s.name)
}

// waitOf returns the wait of a function. If the wait has several times, the first ends it.
func (m *memory) waitOf(call direct.KeptCall, raw json.RawMessage) (*memoryWait, error) {
	var wait struct {
		Await   []template.Await `json:"await"`
		Timeout span.Span        `json:"timeout"`
	}
	if err := json.Unmarshal(raw, &wait); err != nil {
		return nil, err
	}
	w := &memoryWait{call: call}
	sooner := func(due time.Time, by string) {
		if w.due.IsZero() || due.Before(w.due) {
			w.due, w.by = due, by
		}
	}
	for _, a := range wait.Await {
		switch {
		case a.Signal != "":
			w.signals = append(w.signals, a.Signal)
		case a.Event != "":
			w.events = append(w.events, [2]string{a.Event, a.Key})
		case a.For != "":
			d, err := a.For.Length()
			if err != nil {
				return nil, err
			}
			sooner(m.now.Add(d), "for")
		default:
			at, err := time.Parse(time.RFC3339, a.Until)
			if err != nil {
				return nil, err
			}
			sooner(at, "until")
		}
	}
	if wait.Timeout != "" {
		d, err := wait.Timeout.Length()
		if err != nil {
			return nil, err
		}
		sooner(m.now.Add(d), "timeout")
	}
	return w, nil
}

// resume ends a wait by a signal that was sent, or by its time. It returns false if the function still has to wait. Time moves forward
// automatically only in waits that no signal can end.
func (m *memory) resume() bool {
	w := m.wait
	value := map[string]any{}
	if i := slices.IndexFunc(m.signals, w.takes); i >= 0 {
		value["by"], value["name"], value["payload"] = "signal", m.signals[i].name, m.signals[i].payload
		value["sent_at"] = m.signals[i].sentAt
		if key := m.signals[i].key; key != nil {
			value["by"], value["key"], value["event_uuid"] = "event", *key, uuid.New()
		}
		m.signals = slices.Delete(m.signals, i, i+1)
	} else {
		if len(w.signals)+len(w.events) == 0 && m.now.Before(w.due) {
			m.now = w.due
		}
		if w.due.IsZero() || m.now.Before(w.due) {
			return false
		}
		value["by"] = w.by
	}
	raw, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	m.add(w.call, raw, nil)
	m.wait = nil
	return true
}

func (m *memory) DivergeStep(_ context.Context, _ direct.StepClaim, position int32, asked string) (gen.KeptAnswer, error) {
	m.diverged = fmt.Errorf("as its call %d the function asks for %q, but %q is kept there", position, asked, m.kept[position-1].Name)
	return gen.KeptAnswer{Answer: gen.CallAnswerSuspended}, nil
}

func (m *memory) Misfit(_ context.Context, _ direct.StepClaim, position int32, name string, why error) (gen.KeptAnswer, error) {
	m.diverged = fmt.Errorf("the value that its call %d, %q, has kept %w", position, name, why)
	return gen.KeptAnswer{Answer: gen.CallAnswerSuspended}, nil
}

func (*memory) Insists() bool { return false }

func (*memory) Stopping() <-chan struct{} { return nil }

func (m *memory) ContinueStep(
	_ context.Context, _ direct.StepClaim, _ int32, state json.RawMessage,
) (gen.KeptAnswer, error) {
	if err := m.place("before round %d ends", m.round); err != nil {
		return gen.KeptAnswer{}, err
	}
	m.kept, m.state, m.attempts = nil, state, 0
	m.round++
	round := int32(m.round)
	return gen.KeptAnswer{Answer: gen.CallAnswerContinued, Round: &round}, m.place("after round %d has ended", m.round-1)
}

func (m *memory) Begin(ctx context.Context) (pgx.Tx, error) {
	if m.db == nil {
		return noTx{}, nil
	}
	return m.db.Begin(ctx)
}

func (m *memory) Now() time.Time { return m.now }

// Snooze lets the time pass until the function runs again.
func (m *memory) Snooze(d time.Duration) { m.now = m.now.Add(d) }

func (m *memory) Pause(_ context.Context, d time.Duration) error {
	m.now = m.now.Add(d)
	return nil
}

// noTx is the transaction of a test without a database.
type noTx struct{ pgx.Tx }

var errNoDB = errors.New("workertest: set Function.DB for the statements of a OnceTx")

func (noTx) Conn() *pgx.Conn                { return nil }
func (noTx) Commit(context.Context) error   { return nil }
func (noTx) Rollback(context.Context) error { return nil }
func (noTx) Begin(context.Context) (pgx.Tx, error) {
	return nil, errNoDB
}

func (noTx) Exec(context.Context, string, ...any) (pgconn.CommandTag, error) {
	return pgconn.CommandTag{}, errNoDB
}

func (noTx) Query(context.Context, string, ...any) (pgx.Rows, error) { return nil, errNoDB }

func (noTx) QueryRow(context.Context, string, ...any) pgx.Row { return noRow{} }

type noRow struct{}

func (noRow) Scan(...any) error { return errNoDB }
