package worker_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/state"
	"github.com/pgtasker/pgtasker/worker"
)

const diamond = `[
  {"name": "reserve"},
  {"name": "charge", "dependencies": ["reserve"]},
  {"name": "pack", "dependencies": ["reserve"]},
  {"name": "ship", "dependencies": ["charge", "pack"]}]`

const one = `[{"name": "work", "retry": {"max_attempts": 2}}]`

type order struct {
	Order int    `json:"order"`
	Who   string `json:"who"`
}

type parcel struct {
	Label string `json:"label"`
}

func TestHandle_PassesResultsOnByType(t *testing.T) {
	t.Parallel()
	s := open(t, map[string]string{"order": diamond})
	w := newWorker(t, s.pool, worker.Config{})
	worker.Handle(w, "reserve", func(_ context.Context, job *worker.Job[order]) (int, error) { return job.Input.Order * 10, nil })
	worker.Handle(w, "charge", func(_ context.Context, job *worker.Job[order]) (string, error) {
		reserved, err := worker.Result[int](job, "reserve")
		return job.Input.Who, errors.Join(err, when(reserved != 70, "reserved is wrong"))
	})
	worker.Handle(w, "pack", func(context.Context, *worker.Job[none]) (parcel, error) { return parcel{Label: "fragile"}, nil })
	worker.Handle(w, "ship", func(_ context.Context, job *worker.Job[none]) (map[string]string, error) {
		packed, err := worker.Result[parcel](job, "pack")
		if err != nil {
			return nil, err
		}
		charged, err := worker.Result[string](job, "charge")
		return map[string]string{"to": charged, "label": packed.Label}, err
	})
	start(t, w)

	task := s.create("order", `{"order": 7, "who": "Ada"}`)
	s.wait(task, state.TaskComplete)
	require.JSONEq(t, `{"to": "Ada", "label": "fragile"}`, string(s.step(task, "ship").Results))
	s.sound(task)
}

func when(wrong bool, text string) error {
	if wrong {
		return errors.New(text)
	}
	return nil
}

// outcome runs one or more attempts of a step and returns how it ended.
func outcome[In, Out any](
	t *testing.T, steps, taskContext string, want state.TaskState, handler worker.Handler[In, Out], options ...worker.HandlerOption,
) (lastError string, attempts int) {
	t.Helper()
	s := open(t, map[string]string{"job": steps})
	s.set("backoff_base", "0.001")
	w := newWorker(t, s.pool, worker.Config{})
	worker.Handle(w, "work", handler, options...)
	start(t, w)
	task := s.create("job", taskContext)
	s.wait(task, want)
	s.sound(task)
	step := s.step(task, "work")
	if step.LastError != nil {
		lastError = *step.LastError
	}
	return lastError, int(step.Attempts)
}

func TestHandle_AnErrorIsTriedAgainUntilTheAttemptsAreUsedUp(t *testing.T) {
	t.Parallel()
	text, attempts := outcome(t, one, `{}`, state.TaskBlockedByFailures,
		func(context.Context, *worker.Job[none]) (none, error) { return none{}, errors.New("no paper") })
	require.Equal(t, "no paper", text)
	require.Equal(t, 2, attempts)
}

func TestHandle_TheNextAttemptKnowsTheLastError(t *testing.T) {
	t.Parallel()
	_, attempts := outcome(t, one, `{}`, state.TaskComplete,
		func(_ context.Context, job *worker.Job[none]) (none, error) {
			if job.Attempt == 1 {
				return none{}, worker.RetryAfter(0, errors.New("no paper"))
			}
			return none{}, when(job.LastError != "no paper" || job.MaxAttempts != 2, "last error: "+job.LastError)
		})
	require.Equal(t, 2, attempts)
}

func TestHandle_APermanentErrorIsNotTriedAgain(t *testing.T) {
	t.Parallel()
	text, attempts := outcome(t, one, `{}`, state.TaskBlockedByFailures,
		func(context.Context, *worker.Job[none]) (none, error) {
			return none{}, errors.Join(errors.New("while charging"), worker.Permanent(errors.New("card stolen")))
		})
	require.Equal(t, "while charging\ncard stolen", text)
	require.Equal(t, 1, attempts)
}

func TestHandle_RetryAfterIsTheWaitThatWasAskedFor(t *testing.T) {
	t.Parallel()
	s := open(t, map[string]string{"job": one})
	w := newWorker(t, s.pool, worker.Config{})
	worker.Handle(w, "work", func(context.Context, *worker.Job[none]) (none, error) {
		return none{}, worker.RetryAfter(90*time.Minute+250*time.Millisecond, errors.New("rate limit"))
	})
	start(t, w)
	task := s.create("job", `{}`)
	s.wait(task, state.TaskWaitingForRetry)
	step := s.step(task, "work")
	require.Equal(t, "rate limit", *step.LastError)
	require.InDelta(t, 5400.25, step.NextRetryAt.Sub(*step.LastFailureAt).Seconds(), 0.2, "not a whole second")
}

func TestHandle_APanicIsAFailureWithItsStack(t *testing.T) {
	t.Parallel()
	text, attempts := outcome(t, one, `{}`, state.TaskBlockedByFailures,
		func(context.Context, *worker.Job[none]) (none, error) {
			panic("out of cheese\x00" + strings.Repeat("!", 100_000))
		})
	require.Contains(t, text, "panic: out of cheese")
	require.Contains(t, text, "(shortened)")
	require.Equal(t, 65536, utf8.RuneCountInString(text), "it is cut where the database cuts it")
	require.Equal(t, 2, attempts)

	text, _ = outcome(t, one, `{}`, state.TaskBlockedByFailures,
		func(context.Context, *worker.Job[none]) (none, error) { return explode(nil), nil })
	require.Contains(t, text, "handle_test.go")
	require.Contains(t, text, "explode")
}

func explode(job *worker.Job[none]) none { return job.Input }

func TestHandle_AHandlerThatEndsItsGoroutineHasFailed(t *testing.T) {
	t.Parallel()
	text, _ := outcome(t, one, `{}`, state.TaskBlockedByFailures,
		func(context.Context, *worker.Job[none]) (none, error) { runtime.Goexit(); return none{}, nil })
	require.Equal(t, "the handler ended its goroutine", text)
}

func TestHandle_WhatDoesNotFitFailsForGoodAndSaysWhere(t *testing.T) {
	t.Parallel()
	succeed := func(context.Context, *worker.Job[order]) (none, error) { return none{}, nil }
	text, attempts := outcome(t, one, `{"order": "seven"}`, state.TaskBlockedByFailures, succeed)
	require.Equal(t, 1, attempts)
	require.Contains(t, text, `the context of task "job" does not fit worker_test.order`)
	require.Contains(t, text, `order`)
	require.Contains(t, text, `"seven"`)

	text, attempts = outcome(t, one, `{}`, state.TaskBlockedByFailures,
		func(context.Context, *worker.Job[none]) (map[string]any, error) {
			return map[string]any{"later": make(chan int)}, nil
		})
	require.Equal(t, 1, attempts)
	require.Contains(t, text, `the result of step "work", map[string]interface {}, cannot be stored`)

	text, _ = outcome(t, one, `{}`, state.TaskBlockedByFailures,
		func(context.Context, *worker.Job[none]) (string, error) { return "a\x00b", nil })
	require.Contains(t, text, `\u0000`)
}

func TestHandle_ABackslashAndU0000AreStored(t *testing.T) {
	t.Parallel()
	const pattern = `[^\u0000]` // six harmless characters, not a zero character
	s := open(t, map[string]string{"job": one})
	w := newWorker(t, s.pool, worker.Config{})
	worker.Handle(w, "work", func(context.Context, *worker.Job[none]) (string, error) { return pattern, nil })
	start(t, w)
	task := s.create("job", `{}`)
	s.wait(task, state.TaskComplete)
	require.JSONEq(t, `"[^\\u0000]"`, string(s.step(task, "work").Results))
}

func TestHandle_AResultThatTheDatabaseCannotStoreFailsAlone(t *testing.T) {
	t.Parallel()
	s := open(t, map[string]string{"job": one})
	w := newWorker(t, s.pool, worker.Config{})
	worker.Handle(w, "work", func(_ context.Context, job *worker.Job[struct{ N int }]) (json.RawMessage, error) {
		if job.Input.N == 3 {
			return json.RawMessage("1e1000000"), nil // valid JSON, but not a number in PostgreSQL
		}
		return json.RawMessage("1"), nil
	})
	tasks := s.createMany("job", 10)
	start(t, w)
	for i, task := range tasks {
		if i != 3 {
			s.wait(task, state.TaskComplete)
		}
	}
	s.wait(tasks[3], state.TaskBlockedByFailures)
	require.Contains(t, *s.step(tasks[3], "work").LastError, "the database refused the result")
	s.sound(tasks...)
}

func TestHandle_AResultThatIsTooLargeFailsForGood(t *testing.T) {
	t.Parallel()
	text, attempts := outcome(t, one, `{}`, state.TaskBlockedByFailures,
		func(context.Context, *worker.Job[none]) (string, error) { return strings.Repeat("x", 2<<20), nil })
	require.Equal(t, 1, attempts)
	require.Contains(t, text, `over the setting "result_bytes"`)
}

func TestHandle_ATimeoutEndsTheContext(t *testing.T) {
	t.Parallel()
	wait := func(ctx context.Context, _ *worker.Job[none]) (none, error) {
		<-ctx.Done()
		return none{}, ctx.Err()
	}
	text, _ := outcome(t, `[{"name": "work", "timeout_seconds": 1, "retry": {"max_attempts": 1}}]`, `{}`,
		state.TaskBlockedByFailures, wait, worker.Timeout(time.Hour))
	require.Equal(t, "timed out after 1s: context deadline exceeded", text)

	text, _ = outcome(t, one, `{}`, state.TaskBlockedByFailures, wait, worker.Timeout(time.Millisecond))
	require.Equal(t, "timed out after 1ms: context deadline exceeded", text)
}

// A handler that does not look at its context has done its work, late or not: its value counts.
func TestHandle_AValueAfterTheTimeoutCounts(t *testing.T) {
	t.Parallel()
	s := open(t, map[string]string{"job": one})
	w := newWorker(t, s.pool, worker.Config{})
	worker.Handle(w, "work", func(ctx context.Context, _ *worker.Job[none]) (string, error) {
		<-ctx.Done()
		return "late", nil
	}, worker.Timeout(time.Millisecond))
	start(t, w)
	task := s.create("job", `{}`)
	s.wait(task, state.TaskComplete)
	require.JSONEq(t, `"late"`, string(s.step(task, "work").Results))
	require.EqualValues(t, 1, s.step(task, "work").Attempts)
}

// encoding/json replaces bytes that are no UTF-8; docs/worker.md says so.
func TestHandle_BytesThatAreNoUTF8AreReplaced(t *testing.T) {
	t.Parallel()
	s := open(t, map[string]string{"job": one})
	w := newWorker(t, s.pool, worker.Config{})
	worker.Handle(w, "work", func(context.Context, *worker.Job[none]) (map[string]string, error) {
		return map[string]string{"text": "a\xffb", "bytes": base64.StdEncoding.EncodeToString([]byte("a\xffb"))}, nil
	})
	start(t, w)
	task := s.create("job", `{}`)
	s.wait(task, state.TaskComplete)
	require.JSONEq(t, `{"text": "a\ufffdb", "bytes": "Yf9i"}`, string(s.step(task, "work").Results))
}

func TestHandle_ALargeContextAndLargeResultsAreLoaded(t *testing.T) {
	t.Parallel()
	s := open(t, map[string]string{"order": diamond})
	s.set("claim_bytes", "10000") // each of 100 claimed steps gets a hundredth of it
	w := newWorker(t, s.pool, worker.Config{})
	large := strings.Repeat("x", 20_000)
	say := func(context.Context, *worker.Job[none]) (string, error) { return large, nil }
	worker.Handle(w, "reserve", say)
	worker.Handle(w, "charge", say)
	worker.Handle(w, "pack", say)
	worker.Handle(w, "ship", func(_ context.Context, job *worker.Job[order]) (int, error) {
		results, err := worker.Results[string](job)
		return len(results["charge"]) + len(results["pack"]) + len(job.Input.Who), err
	})
	start(t, w)
	task := s.create("order", `{"who": "`+large+`"}`)
	s.wait(task, state.TaskComplete)
	require.JSONEq(t, "60000", string(s.step(task, "ship").Results))
}

func TestHandle_ALargeResultIsLoadedToBeUndone(t *testing.T) {
	t.Parallel()
	s := open(t, map[string]string{"saga": `[{"name": "book", "compensate": "cancel"}, {"name": "free", "compensate": "cancel", "dependencies": ["book"]},
		{"name": "work", "dependencies": ["free"]}]`})
	s.set("claim_bytes", "10000")
	w := newWorker(t, s.pool, worker.Config{})
	large := strings.Repeat("x", 20_000)
	worker.Handle(w, "book", func(context.Context, *worker.Job[none]) (string, error) { return large, nil })
	worker.Handle(w, "free", func(context.Context, *worker.Job[none]) (string, error) { return "small", nil })
	worker.Handle(w, "work", func(context.Context, *worker.Job[none]) (none, error) {
		return none{}, worker.Permanent(errors.New("no"))
	})
	undone := make(chan string, 2)
	worker.Handle(w, "cancel", func(_ context.Context, job *worker.Job[none]) (none, error) {
		var inputs struct{ Step, Result string }
		err := job.Inputs(&inputs)
		undone <- fmt.Sprintf("%s %d", inputs.Step, len(inputs.Result))
		return none{}, err
	})
	start(t, w)
	task := s.create("saga", `{}`)
	s.wait(task, state.TaskBlockedByFailures)
	_, err := s.GiveUpTask(t.Context(), task, "no", "")
	require.NoError(t, err)
	require.Equal(t, "free 5", receive(t, undone))
	require.Equal(t, "book 20000", receive(t, undone))
	s.wait(task, state.TaskError)
}

func TestResult_SaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	s := open(t, map[string]string{"pair": `[{"name": "first"}, {"name": "second", "dependencies": ["first"]}]`})
	w := newWorker(t, s.pool, worker.Config{})
	worker.Handle(w, "first", func(context.Context, *worker.Job[none]) (string, error) { return "twelve", nil })
	errs := make(chan error, 2)
	worker.Handle(w, "second", func(_ context.Context, job *worker.Job[none]) (none, error) {
		_, err := worker.Result[int](job, "frist")
		errs <- err
		_, err = worker.Result[int](job, "first")
		errs <- err
		return none{}, nil
	})
	start(t, w)
	s.create("pair", `{}`)
	unknown := receive(t, errs)
	require.ErrorIs(t, unknown, worker.ErrNoResult)
	require.EqualError(t, unknown, `step "second" has no result of "frist": no such result; its parents with a result are "first"`)
	require.ErrorContains(t, receive(t, errs), `the result of "first" does not fit int`)
}

func TestJob_InputsHeadersAndCheckpoints(t *testing.T) {
	t.Parallel()
	s := open(t, map[string]string{"job": `[{"name": "work", "initialization": {"size": 3}, "retry": {"max_attempts": 2}}]`})
	w := newWorker(t, s.pool, worker.Config{})
	type seen struct {
		size, checkpoint int
		found            bool
		err              error
	}
	attempts := make(chan seen, 2)
	worker.Handle(w, "work", func(ctx context.Context, job *worker.Job[none]) (none, error) {
		var a seen
		var inputs struct{ Size int }
		err := job.Inputs(&inputs)
		a.size = inputs.Size
		var err2 error
		a.found, err2 = job.LastCheckpoint(&a.checkpoint)
		_, err3 := job.Headers()
		a.err = errors.Join(err, err2, err3, job.Checkpoint(ctx, 41+job.Attempt))
		attempts <- a
		if job.Attempt == 1 {
			return none{}, worker.RetryAfter(0)
		}
		return none{}, nil
	})
	start(t, w)
	s.create("job", `{}`)
	require.Equal(t, seen{size: 3}, receive(t, attempts))
	require.Equal(t, seen{size: 3, found: true, checkpoint: 42}, receive(t, attempts))
}

func TestMiddleware_FirstIsOutermostAndSeesPanicsAsErrors(t *testing.T) {
	t.Parallel()
	s := open(t, map[string]string{"job": `[{"name": "work", "retry": {"max_attempts": 1}}]`})
	w := newWorker(t, s.pool, worker.Config{})
	said := make(chan string, 10)
	say := func(name string) worker.Middleware {
		return func(next worker.HandlerFunc) worker.HandlerFunc {
			return func(ctx context.Context, step *worker.Step) (json.RawMessage, error) {
				said <- name + " before " + step.Name
				raw, err := next(ctx, step)
				first, _, _ := strings.Cut(err.Error(), "\n")
				said <- name + " after " + first
				return raw, err
			}
		}
	}
	w.Use(say("a"), say("b"))
	worker.Handle(w, "work", func(context.Context, *worker.Job[none]) (none, error) { panic("oh") }, worker.With(say("c"), say("d")))
	start(t, w)
	s.wait(s.create("job", `{}`), state.TaskBlockedByFailures)
	close(said)
	var order []string
	for line := range said {
		order = append(order, line)
	}
	require.Equal(t, []string{
		"a before work", "b before work", "c before work", "d before work",
		"d after panic: oh", "c after panic: oh", "b after panic: oh", "a after panic: oh",
	}, order)
}

func TestHandle_PanicsOnMistakesInTheProgram(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	w := newWorker(t, s.pool, worker.Config{})
	handler := func(context.Context, *worker.Job[none]) (none, error) { return none{}, nil }
	worker.Handle(w, "work", handler)
	require.PanicsWithValue(t, `worker: handler "work" is already registered`, func() { worker.Handle(w, "work", handler) })
	require.PanicsWithValue(t, `worker: the handler has no name`, func() { worker.Handle(w, "", handler) })
	require.PanicsWithValue(t, `worker: handler "deaf" has a result that cannot be JSON: chan int`, func() {
		worker.Handle(w, "deaf", func(context.Context, *worker.Job[none]) (chan int, error) { return nil, nil })
	})
	require.PanicsWithValue(t, `worker: MaxRunning(0) is below 1`, func() { worker.MaxRunning(0) })
}

func TestHandle_AContextWithoutTheTypesFieldsFailsForGood(t *testing.T) {
	t.Parallel()
	succeed := func(context.Context, *worker.Job[order]) (none, error) { return none{}, nil }
	text, attempts := outcome(t, one, `{"number": 7}`, state.TaskBlockedByFailures, succeed)
	require.Equal(t, 1, attempts)
	require.Equal(t, `the context of task "job" does not fit worker_test.order: the object has none of the type's fields, `+
		`which are order, who; it is {"number": 7}`, text)
}

func TestResult_RefusesWhatDoesNotFit(t *testing.T) {
	t.Parallel()
	s := open(t, map[string]string{"order": diamond})
	var log journal
	w := newWorker(t, s.pool, worker.Config{Logger: log.logger()})
	type reservation struct {
		ID    string `json:"id"`
		Extra string `json:"extra,omitempty"`
	}
	type view struct {
		ID   string `json:"id"`
		Note string `json:"note"`
	}
	type strict struct {
		ID   string `json:"id"`
		Note string `json:"note" tasker:"required"`
	}
	worker.Handle(w, "reserve", func(context.Context, *worker.Job[none]) (reservation, error) {
		return reservation{ID: "r1", Extra: "x"}, nil
	})
	worker.Handle(w, "charge", func(_ context.Context, job *worker.Job[none]) (string, error) {
		seen, err := worker.Result[view](job, "reserve") // the view lacks fields of the result and has one that the result lacks
		if err != nil || seen.ID != "r1" {
			return "", errors.Join(err, errors.New("wrong: "+seen.ID))
		}
		_, err = worker.Result[strict](job, "reserve")
		if !errors.Is(err, worker.ErrMisfit) || worker.IsPermanent(err) {
			return "", errors.New("a required field is missing, and no error says so, or that no attempt changes it")
		}
		_, err = worker.Result[[]string](job, "reserve")
		if !errors.Is(err, worker.ErrMisfit) {
			return "", errors.New("an object is no list")
		}
		return "paid", nil
	})
	worker.Handle(w, "pack", func(_ context.Context, job *worker.Job[none]) (none, error) {
		_, err := worker.Result[parcel](job, "reserve")
		return none{}, err
	})
	start(t, w)
	task := s.create("order", `{}`)
	until(t, func() bool { return s.step(task, "charge").State == state.StepComplete }, func() string { return "no charge" })
	until(t, func() bool { return s.step(task, "pack").State == state.StepSuspended }, func() string {
		return fmt.Sprintf("pack is %s, though another worker may have the build that fits", s.step(task, "pack").State)
	})
	explained, err := s.ExplainStep(t.Context(), s.step(task, "pack").WorkflowStepUUID)
	require.NoError(t, err)
	require.Contains(t, fmt.Sprint(explained), `the result of "reserve" does not fit`)
	log.says(t, `does not fit worker_test.parcel: the object has none of the type's fields, which are label`)
}

func TestResult_ReachesStepsFurtherUp(t *testing.T) {
	t.Parallel()
	s := open(t, map[string]string{"chain": `[{"name": "a"}, {"name": "b", "dependencies": ["a"]},
		{"name": "c", "dependencies": ["b"]}, {"name": "d", "dependencies": ["c"]}, {"name": "apart"}]`})
	w := newWorker(t, s.pool, worker.Config{})
	for _, name := range []string{"a", "b", "c", "apart"} {
		worker.Handle(w, name, func(_ context.Context, job *worker.Job[none]) (string, error) { return "of " + job.Name, nil })
	}
	worker.Handle(w, "d", func(_ context.Context, job *worker.Job[none]) (string, error) {
		far, err := worker.Result[string](job, "a")
		if err != nil {
			return "", err
		}
		for _, stranger := range []string{"apart", "d", "nowhere"} {
			if _, err := worker.Result[string](job, stranger); !errors.Is(err, worker.ErrNoResult) {
				return "", errors.New("a result of " + stranger)
			}
		}
		return far, nil
	})
	start(t, w)
	task := s.create("chain", `{}`)
	s.wait(task, state.TaskComplete)
	require.JSONEq(t, `"of a"`, string(s.step(task, "d").Results))
	s.sound(task)
}

func TestHandle_ASnoozeSpendsNoAttempt(t *testing.T) {
	t.Parallel()
	s := open(t, map[string]string{"job": `[{"name": "work", "retry": {"max_attempts": 1}}]`})
	w := newWorker(t, s.pool, worker.Config{})
	runs := 0
	worker.Handle(w, "work", func(_ context.Context, job *worker.Job[none]) (none, error) {
		runs++
		switch runs {
		case 1:
			return none{}, fmt.Errorf("at the bakery: %w", worker.Snooze(100*time.Millisecond, "the oven is cold"))
		case 2:
			return none{}, when(job.Attempt != 1 || job.LastError != "", fmt.Sprint(job.Attempt, job.LastError))
		}
		return none{}, worker.Snooze(366*24*time.Hour, "a new oven")
	})
	start(t, w)
	task := s.create("job", `{}`)
	s.wait(task, state.TaskComplete)
	require.Equal(t, 2, runs)
	var reason string
	require.NoError(t, s.pool.QueryRow(t.Context(), `select l.reason from tasker.workflow_step_transition_log as l
		where l.task_uuid = $1 and l.event = 'Suspend'`, task).Scan(&reason))
	require.Equal(t, "snoozed for 0.1s: at the bakery: the oven is cold", reason)

	task = s.create("job", `{}`)
	s.wait(task, state.TaskBlockedByFailures)
	require.Equal(t, "a snooze of 8784h0m0s is out of bounds: it lasts from a millisecond to a year", *s.step(task, "work").LastError)
}
