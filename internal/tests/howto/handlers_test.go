package howto_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/state"
	"github.com/pgtasker/pgtasker/worker"
	"github.com/pgtasker/pgtasker/workertest"
)

type Payment struct {
	Card string `json:"card"`
}

type Receipt struct {
	Number string `json:"number"`
}

var (
	errCardExpired     = errors.New("the card has expired")
	errTooManyRequests = errors.New("too many requests")
	errNoAnswer        = errors.New("no answer")
)

// fakeBank charges by what the card says, and each key once.
type fakeBank struct{ keys map[uuid.UUID]int }

func (b fakeBank) Charge(_ context.Context, key uuid.UUID, p Payment) (Receipt, error) {
	b.keys[key]++
	switch p.Card {
	case "expired":
		return Receipt{}, errCardExpired
	case "busy":
		return Receipt{}, errTooManyRequests
	case "flaky":
		if b.keys[key] < 3 {
			return Receipt{}, errNoAnswer
		}
	}
	return Receipt{Number: "R1"}, nil
}

func TestRetries_AreWhatTheHandlerAsksFor(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		card     string
		attempts int
		state    state.StepState
		wait     time.Duration
	}{
		{"good", 1, state.StepComplete, 0},
		{"flaky", 3, state.StepComplete, 0},
		{"expired", 1, state.StepError, 0},
		{"busy", 1, state.StepWaitingForRetry, 10 * time.Minute},
	} {
		t.Run(c.card, func(t *testing.T) {
			t.Parallel()
			pool := pgtest.New(t)
			bank := fakeBank{map[uuid.UUID]int{}}
			task := create(t, pool, `[{"name": "charge", "retry": {"max_attempts": 5}}]`, `{"card": "`+c.card+`"}`)
			w := newWorker(t)

			worker.Handle(w, "charge", func(ctx context.Context, job *worker.Job[Payment]) (Receipt, error) {
				receipt, err := bank.Charge(ctx, job.StepUUID, job.Input)
				switch {
				case errors.Is(err, errCardExpired):
					return receipt, worker.Permanent(err) // no further attempt
				case errors.Is(err, errTooManyRequests):
					return receipt, worker.RetryAfter(10*time.Minute, err) // instead of the template's wait; the attempt counts
				}
				return receipt, err // any other error: by the template
			})

			do := workertest.Run
			if c.wait > 0 {
				do = workertest.RunReady
			}
			step := do(t, pool, w, task).Step(t, "charge")
			require.Equal(t, c.state, step.State)
			require.EqualValues(t, c.attempts, step.Attempts)
			require.Len(t, bank.keys, 1, "all attempts have the same key")
			if c.wait > 0 {
				require.WithinDuration(t, time.Now().Add(c.wait), *step.NextRetryAt, time.Minute)
			}
		})
	}
}

type Charged struct {
	OK      bool   `json:"ok"`
	Refused string `json:"refused,omitempty"`
}

func TestJoins_AFailureAsAResultChoosesABranch(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	bank := fakeBank{map[uuid.UUID]int{}}
	task := create(t, pool, `[{"name": "charge"},
		{"name": "ship", "dependencies": [{"step": "charge", "when": "$.ok == true"}]},
		{"name": "apologise", "dependencies": [{"step": "charge", "when": "$.ok == false"}]}]`, `{"card": "expired"}`)
	w := newWorker(t)

	worker.Handle(w, "charge", func(ctx context.Context, job *worker.Job[Payment]) (Charged, error) {
		_, err := bank.Charge(ctx, job.StepUUID, job.Input)
		if errors.Is(err, errCardExpired) {
			return Charged{Refused: err.Error()}, nil // a result: "when: $.ok == true" and "when: $.ok == false" choose
		}
		return Charged{OK: err == nil}, err
	})
	nothing := func(context.Context, *worker.Job[Payment]) (bool, error) { return true, nil }
	worker.Handle(w, "ship", nothing)
	worker.Handle(w, "apologise", nothing)

	report := workertest.Run(t, pool, w, task)
	require.Equal(t, []string{"charge", "apologise"}, report.Order)
	require.Equal(t, state.TaskComplete, report.State)
}

type Video struct {
	Name  string `json:"name"`
	Parts int    `json:"parts"`
}

func TestDeadlines_AHandlerHearsOfTheCancellation(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	task := create(t, pool, `[{"name": "transcode"}]`, `{"name": "cats", "parts": 2}`)
	w, err := worker.New(pool, worker.Config{Lease: 6 * time.Second}) // a busy machine renews it in time
	require.NoError(t, err)

	begun := make(chan struct{})
	why := make(chan error, 1)
	transcode := func(int) <-chan struct{} {
		close(begun)
		return nil // it takes for ever
	}
	w.Use(func(next worker.HandlerFunc) worker.HandlerFunc {
		return func(ctx context.Context, step *worker.Step) (raw json.RawMessage, err error) {
			raw, err = next(ctx, step)
			why <- err
			return raw, err
		}
	})

	worker.Handle(w, "transcode", func(ctx context.Context, job *worker.Job[Video]) (string, error) {
		for part := range job.Input.Parts {
			select {
			case <-ctx.Done():
				return "", context.Cause(ctx) // worker.ErrCancelled, ErrLost, ErrStopping, or context.DeadlineExceeded
			case <-transcode(part):
			}
		}
		return job.Input.Name + ".webm", nil
	})

	running(t, w)
	<-begun
	changed, err := executor.New(pool).CancelTask(t.Context(), task, "", "")
	require.NoError(t, err)
	require.True(t, changed)
	require.ErrorIs(t, <-why, worker.ErrCancelled)
}

func TestPause_AnOperatorChangesAPausedTask(t *testing.T) {
	t.Parallel()
	ctx, pool := t.Context(), pgtest.New(t)
	task := create(t, pool, `[{"name": "pay"}]`, `{"amount": 70}`)
	e := executor.New(pool)

	paused, err := e.PauseTask(ctx, task, "the bank is closed", "ann")
	require.NoError(t, err)
	changed, err := e.ChangeTask(ctx, task, executor.TaskChange{
		Context: json.RawMessage(`{"amount": 60}`), Reason: "ten were paid before", Actor: "ann",
	})
	require.NoError(t, err)
	resumed, err := e.ResumeTask(ctx, task, "it is open again", "ben")
	require.NoError(t, err)
	require.True(t, paused && changed && resumed)
	w, err := worker.New(pool, worker.Config{})
	require.NoError(t, err)
	var amount int
	worker.Handle(w, "pay", func(_ context.Context, job *worker.Job[struct{ Amount int }]) (bool, error) {
		amount = job.Input.Amount
		return true, nil
	})
	workertest.Run(t, pool, w, task)
	require.Equal(t, 60, amount)
}

func TestPriorities_ALimitHoldsForOneHandler(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	task := create(t, pool, `[{"name": "a", "handler": "call_partner"}, {"name": "b", "handler": "resize"}]`, `{}`)
	w := newWorker(t)
	callPartner := func(context.Context, *worker.Job[struct{}]) (string, error) { return "called", nil }
	resize := func(context.Context, *worker.Job[struct{}]) (string, error) { return "small", nil }

	worker.Handle(w, "call_partner", callPartner, worker.MaxRunning(4))
	worker.Handle(w, "resize", resize)

	require.Equal(t, state.TaskComplete, workertest.Run(t, pool, w, task).State)
}

type Files struct {
	Files []string `json:"files"`
}

func TestGrowing_AStepAddsTheOthers(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	task := create(t, db, `[{"name": "list"}]`, `{"files": ["a.txt", "notes.md"]}`)
	w := newWorker(t)

	worker.Handle(w, "list", func(ctx context.Context, job *worker.Job[Files]) (int, error) {
		var steps []map[string]any
		var names []string
		for i, file := range job.Input.Files {
			name := fmt.Sprintf("count_%d", i+1)
			names = append(names, name)
			steps = append(steps, map[string]any{
				"name": name, "handler": "count", "dependencies": []string{job.Name},
				"initialization": map[string]string{"file": file}, // what job.Inputs decodes
			})
		}
		steps = append(steps, map[string]any{"name": "sum", "dependencies": names})
		text, err := json.Marshal(steps)
		if err != nil {
			return 0, err
		}
		_, err = executor.New(db).AddSteps(ctx, job.TaskUUID, text)
		return len(names), err
	})
	worker.Handle(w, "count", func(_ context.Context, job *worker.Job[Files]) (int, error) {
		var in struct{ File string }
		err := job.Inputs(&in)
		return len(in.File), err
	})
	worker.Handle(w, "sum", func(_ context.Context, job *worker.Job[Files]) (total int, err error) {
		counts, err := worker.Results[int](job) // of all steps that it depends on
		for _, n := range counts {
			total += n
		}
		return total, err
	})

	report := workertest.Run(t, db, w, task)
	require.Equal(t, state.TaskComplete, report.State)
	require.Equal(t, 13, workertest.Result[int](t, report, "sum"))
}

type Import struct {
	Lines int `json:"lines"`
}

func TestIdempotency_AnImportGoesOnWhereItStopped(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	task := create(t, pool, `[{"name": "import"}]`, `{"lines": 5}`)
	w, err := worker.New(pool, worker.Config{})
	require.NoError(t, err)

	var lines []int
	failed := false
	importLine := func(_ context.Context, line int) error {
		if line == 3 && !failed {
			failed = true
			return errNoAnswer
		}
		lines = append(lines, line)
		return nil
	}

	worker.Handle(w, "import", func(ctx context.Context, job *worker.Job[Import]) (int, error) {
		var done int
		if _, err := job.LastCheckpoint(&done); err != nil { // what an earlier attempt has kept
			return 0, err
		}
		for ; done < job.Input.Lines; done++ {
			if err := importLine(ctx, done); err != nil {
				return 0, errors.Join(err, job.Checkpoint(ctx, done))
			}
		}
		return done, nil
	})

	report := workertest.Run(t, pool, w, task)
	require.Equal(t, state.TaskComplete, report.State)
	require.Equal(t, []int{0, 1, 2, 3, 4}, lines, "each line once")
}
