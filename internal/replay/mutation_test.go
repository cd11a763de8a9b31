package replay_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/internal/replay"
	"github.com/pgtasker/pgtasker/template"
	"github.com/pgtasker/pgtasker/worker"
	"github.com/pgtasker/pgtasker/workertest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// cases is the number of generated programs. Each program is changed in every way.
const cases = 12

type order struct {
	N int `json:"n"`
}

type receipt struct {
	Cents int    `json:"cents"`
	For   string `json:"for"`
}

// call is a call of a generated function.
type call struct {
	kind, name string
	cents      int
	text       bool // its result is now a text and not a receipt
}

// program is a generated function, with a step before it and a step after it.
type program struct {
	calls    []call
	waits    bool // before its last call the function waits for a signal that is not sent
	before   int  // the result of the preceding step
	textual  bool // the preceding step returns a text
	typeless bool // the following step decodes the result of the function as a number
	result   int  // added to the function's result
}

func randomProgram(r *rand.Rand) program {
	p := program{before: r.IntN(1000)}
	for i := range 3 + r.IntN(4) {
		switch r.IntN(5) {
		case 0:
			p.calls = append(p.calls, call{kind: "now", name: "$now"})
		case 1:
			p.calls = append(p.calls, call{kind: "sleep", name: "$sleep"})
		default:
			p.calls = append(p.calls, call{kind: "once", name: fmt.Sprintf("call.%d", i), cents: r.IntN(1000)})
		}
	}
	// At least two calls differ and have a result.
	p.calls = append(p.calls, call{kind: "once", name: "charge", cents: r.IntN(1000)}, call{kind: "once", name: "book", cents: r.IntN(1000)})
	return p
}

// worker returns a worker with the handlers of the program. effects counts the calls that have an effect.
func (p program) worker(t testing.TB, effects *int) *worker.Worker {
	t.Helper()
	w, err := worker.New(nil, worker.Config{})
	require.NoError(t, err)
	if p.textual {
		worker.Handle(w, "before", func(context.Context, *worker.Job[order]) (string, error) { return fmt.Sprint(p.before), nil })
	} else {
		worker.Handle(w, "before", func(context.Context, *worker.Job[order]) (int, error) { return p.before, nil })
	}
	worker.Handle(w, "work", func(ctx context.Context, job *worker.Job[order]) (receipt, error) {
		return p.perform(ctx, job, effects)
	})
	worker.Handle(w, "after", func(_ context.Context, job *worker.Job[order]) (string, error) {
		if p.typeless {
			n, err := worker.Result[int](job, "work")
			return fmt.Sprint(n), err
		}
		from, err := worker.Result[receipt](job, "work")
		before, beforeErr := worker.Result[int](job, "before")
		return fmt.Sprintf("%d+%d", before, from.Cents), cmpErr(err, beforeErr)
	})
	return w
}

func cmpErr(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func (p program) perform(ctx context.Context, job *worker.Job[order], effects *int) (sum receipt, err error) {
	for i, c := range p.calls {
		if p.waits && i == len(p.calls)-1 {
			if _, err := worker.Await(ctx, job, worker.Signal[struct{}]("never"), worker.Waiting{}); err != nil {
				return sum, err
			}
		}
		switch {
		case c.kind == "now":
			worker.Now(ctx, job)
		case c.kind == "sleep":
			worker.Sleep(ctx, job, time.Second)
		case c.text:
			if _, err := worker.Once(ctx, job, c.name, func(context.Context, uuid.UUID) (string, error) { *effects++; return "text", nil }); err != nil {
				return sum, err
			}
		default:
			got, err := worker.Once(ctx, job, c.name, func(context.Context, uuid.UUID) (receipt, error) {
				*effects++
				return receipt{Cents: c.cents, For: c.name}, nil
			})
			if err != nil {
				return sum, err
			}
			sum.Cents += got.Cents
		}
	}
	sum.Cents += p.result
	return sum, nil
}

const steps = `{"namespace": "test", "name": "order", "identity_strategy": "always_unique", "steps": [
	{"name": "before"}, {"name": "work", "dependencies": ["before"]}, {"name": "after", "dependencies": ["work", "before"]}]}`

// record runs a program in a database and returns the exported task.
func (p program) record(t *testing.T, pool executor.DBTX, blank ...string) *replay.Export {
	t.Helper()
	e := executor.New(pool)
	task, err := e.CreateTask(t.Context(), executor.TaskRequest{Namespace: "test", Name: "order", Context: json.RawMessage(`{"n": 7}`)})
	require.NoError(t, err)
	effects := 0
	w := p.worker(t, &effects)
	workertest.Run(t, pool, w, task.TaskUUID)
	raw, err := e.ExportTask(t.Context(), task.TaskUUID, true, blank)
	require.NoError(t, err)
	return parsed(t, raw)
}

func parsed(t testing.TB, raw []byte) *replay.Export {
	t.Helper()
	e := &replay.Export{}
	require.NoError(t, json.Unmarshal(raw, e))
	return e
}

// replayed returns the kinds of the divergences of a program, and requires that it had no effect.
func (p program) replayed(t *testing.T, e *replay.Export, options replay.Options) []replay.Divergence {
	t.Helper()
	effects := 0
	report, err := replay.Task(t.Context(), p.worker(t, &effects), e, options)
	require.NoError(t, err)
	require.Zero(t, effects, "a replay makes no call again, and none that is not recorded")
	return report.Divergences
}

func (p program) with(change func(p *program)) program {
	p.calls = slices.Clone(p.calls)
	change(&p)
	return p
}

// kinds are the ways in which a program is changed, and the reports that a replay must make.
var kinds = []struct {
	name   string
	change func(r *rand.Rand, p *program)
	kind   replay.Kind
	step   string
	says   string
}{
	{"the type of a step's result", func(_ *rand.Rand, p *program) { p.textual = true }, replay.Type, "before", "another type"},
	{"the value of a step's result", func(_ *rand.Rand, p *program) { p.before++ }, replay.Value, "before", "another value"},
	{"the value of a function's result", func(_ *rand.Rand, p *program) { p.result++ }, replay.Value, "work", "another value"},
	{"the type of an input", func(_ *rand.Rand, p *program) { p.typeless = true }, replay.Input, "after", "cannot decode"},
	{"the type of a call", func(r *rand.Rand, p *program) { p.calls[len(p.calls)-1-r.IntN(2)].text = true }, replay.Input, "work", "has kept"},
	{"a call is removed", func(r *rand.Rand, p *program) {
		i := len(p.calls) - 1 - r.IntN(2)
		p.calls = slices.Delete(p.calls, i, i+1)
	}, replay.Call, "work", "call"},
	{"a call is renamed", func(r *rand.Rand, p *program) { p.calls[len(p.calls)-1-r.IntN(2)].name = "renamed" }, replay.Call, "work", `asks for "renamed"`},
	{"calls are reordered", func(_ *rand.Rand, p *program) {
		n := len(p.calls)
		p.calls[n-1], p.calls[n-2] = p.calls[n-2], p.calls[n-1]
	}, replay.Call, "work", `asks for "book"`},
	{"a call is added", func(r *rand.Rand, p *program) {
		p.calls = slices.Insert(p.calls, r.IntN(len(p.calls)+1), call{kind: "once", name: "new"})
	}, replay.Call, "work", `"new"`},
}

func TestTask_FindsEveryKindOfChange(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	_, err := executor.New(pool).RegisterTaskTemplate(t.Context(), json.RawMessage(steps))
	require.NoError(t, err)
	for seed := range uint64(cases) {
		r := rand.New(rand.NewPCG(seed, 48))
		p := randomProgram(r)
		ended, open := recordBoth(t, pool, p)
		require.Empty(t, p.replayed(t, ended, replay.Options{}), "the same code does not diverge")
		waiting := p.with(func(p *program) { p.waits = true })
		require.Empty(t, waiting.replayed(t, open, replay.Options{}), "nor does it on a task that is open")
		for _, kind := range kinds {
			changed := p.with(func(p *program) { kind.change(r, p) })
			found := changed.replayed(t, ended, replay.Options{})
			require.NotEmpty(t, found, "seed %d: %s", seed, kind.name)
			i := slices.IndexFunc(found, func(d replay.Divergence) bool { return d.Step == kind.step })
			require.GreaterOrEqual(t, i, 0, "seed %d: %s: %v", seed, kind.name, found)
			require.Equal(t, kind.kind, found[i].Kind, "seed %d: %s: %v", seed, kind.name, found)
			require.Contains(t, found[i].Message, kind.says)
			require.Regexp(t, `mutation_test\.go:\d+$`, found[i].Where, "seed %d: %s: %v", seed, kind.name, found)
		}
		dropStep(t, p, open)
	}
}

// recordBoth records a program that has ended, and a program that waits.
func recordBoth(t *testing.T, pool executor.DBTX, p program) (ended, open *replay.Export) {
	t.Helper()
	ended = p.record(t, pool)
	require.True(t, ended.Task.Complete)
	open = p.with(func(p *program) { p.waits = true }).record(t, pool)
	require.False(t, open.Task.Complete)
	return ended, open
}

// dropStep drops a step that an open task needs, from the template and from the worker, and changes the calls before a wait.
func dropStep(t *testing.T, p program, open *replay.Export) {
	t.Helper()
	waiting := p.with(func(p *program) { p.waits = true })
	without := &template.Template{Namespace: "test", Name: "order", Steps: []template.Step{{Name: "before"}, {Name: "work"}}}
	found := waiting.replayed(t, open, replay.Options{Templates: []*template.Template{without}})
	require.Len(t, found, 1)
	require.Equal(t, replay.Vanished, found[0].Kind)
	require.Equal(t, "after", found[0].Step)

	found = p.replayed(t, open, replay.Options{})
	require.Len(t, found, 1, "the function waits in another call")
	require.Contains(t, found[0].Message, `the recorded function waits in "$await.never"`)
	require.Regexp(t, `mutation_test\.go:\d+$`, found[0].Where)

	effects := 0
	w, err := worker.New(nil, worker.Config{})
	require.NoError(t, err)
	worker.Handle(w, "before", func(context.Context, *worker.Job[order]) (int, error) { return p.before, nil })
	worker.Handle(w, "work", func(ctx context.Context, job *worker.Job[order]) (receipt, error) {
		return waiting.perform(ctx, job, &effects)
	})
	report, err := replay.Task(t.Context(), w, open, replay.Options{})
	require.NoError(t, err)
	require.Len(t, report.Divergences, 1)
	require.Contains(t, report.Divergences[0].Message, `whose handler "after" the worker no longer has`)
	report, err = replay.Task(t.Context(), w, open, replay.Options{Elsewhere: []string{"after"}})
	require.NoError(t, err)
	require.Empty(t, report.Divergences)
}
