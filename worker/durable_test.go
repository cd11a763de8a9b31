package worker_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/inner"
	"github.com/pgtasker/pgtasker/state"
	"github.com/pgtasker/pgtasker/worker"
)

const eager = `[{"name": "work", "retry": {"max_attempts": 3, "base_seconds": 0.01}}]`

// tally counts calls by their names, and remembers their keys.
type tally struct {
	mu    sync.Mutex
	calls []string
	keys  map[string][]uuid.UUID
}

func (c *tally) add(name string, key uuid.UUID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.keys == nil {
		c.keys = map[string][]uuid.UUID{}
	}
	c.calls = append(c.calls, name)
	c.keys[name] = append(c.keys[name], key)
}

func (c *tally) all() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.calls)
}

// does returns a call that is counted and returns value.
func does[R any](c *tally, name string, value R) func(context.Context, uuid.UUID) (R, error) {
	return func(_ context.Context, key uuid.UUID) (R, error) {
		c.add(name, key)
		return value, nil
	}
}

// answer sends a signal when a step waits for it.
func (s *shop) answer(task uuid.UUID, name, payload string) {
	s.t.Helper()
	until(s.t, func() bool { return s.step(task, "work").State == state.StepSuspended }, func() string { return "it does not wait" })
	answer, err := s.SendSignal(s.t.Context(), task, executor.Signal{Name: name, Payload: []byte(payload)})
	require.NoError(s.t, err)
	require.Equal(s.t, executor.Delivered, answer.Answer)
}

func (s *shop) kept(task uuid.UUID) (names []string) {
	s.t.Helper()
	kept, err := s.GetKeptResults(s.t.Context(), s.step(task, "work").WorkflowStepUUID, 0, 1000)
	require.NoError(s.t, err)
	for _, k := range kept {
		names = append(names, k.Name)
	}
	return names
}

func TestOnce_AFunctionStopsAndGoesOnOverWhatItHasKept(t *testing.T) {
	t.Parallel()
	s := open(t, map[string]string{"job": eager})
	var c tally
	var deferred, runs atomic.Int32
	var times, randoms sync.Map
	for range 2 { // either worker may continue the function
		w := newWorker(t, s.pool, worker.Config{})
		worker.Handle(w, "work", func(ctx context.Context, job *worker.Job[none]) (string, error) {
			defer deferred.Add(1)
			run := runs.Add(1)
			payment, err := worker.Once(ctx, job, "charge", does(&c, "charge", 12))
			if err != nil {
				return "", err
			}
			times.Store(run, worker.Now(ctx, job))
			randoms.Store(run, worker.Rand(ctx, job).Uint64())
			answer, err := worker.Await(ctx, job, worker.Signal[map[string]bool]("approved"), worker.Waiting{When: "$.ok == true"})
			if err != nil {
				return "", err
			}
			worker.Sleep(ctx, job, 200*time.Millisecond)
			parcel, err := worker.Once(ctx, job, "ship", does(&c, "ship", "p1"))
			return fmt.Sprintf("%d %s %v %s", payment, answer.By, answer.Payload["ok"], parcel), err
		})
		start(t, w)
	}
	task := s.create("job", `{}`)
	s.answer(task, "approved", `{"ok": true}`)
	s.wait(task, state.TaskComplete)
	require.JSONEq(t, `"12 signal true p1"`, string(s.step(task, "work").Results))
	require.Equal(t, []string{"charge", "ship"}, c.all(), "each call is made once")
	require.Equal(t, []string{"charge", "$now", "$rand", "$await.approved", "$sleep", "ship"}, s.kept(task))
	require.Equal(t, runs.Load(), deferred.Load(), "deferred calls run at every suspension")
	require.Equal(t, int32(3), runs.Load(), "the first, one after the signal, one after the sleep")
	first, _ := times.Load(int32(1))
	second, _ := times.Load(int32(2))
	require.Equal(t, first, second, "the same time in every run")
	first, _ = randoms.Load(int32(1))
	second, _ = randoms.Load(int32(2))
	require.Equal(t, first, second, "and the same random numbers")
	s.sound(task)
}

func TestAwaitEvent_ALoopGetsEachEventOnce(t *testing.T) {
	t.Parallel()
	s := open(t, map[string]string{"job": eager})
	w := newWorker(t, s.pool, worker.Config{})
	worker.Handle(w, "work", func(ctx context.Context, job *worker.Job[none]) ([]int, error) {
		var got []int
		for len(got) < 3 {
			answer, err := worker.Await(ctx, job, worker.Event[int]("tick").About("clock"), worker.Waiting{When: "$ > 0", LookBack: time.Hour})
			if err != nil {
				return nil, err
			}
			if answer.By != "event" || answer.Name != "tick" || answer.Key != "clock" || answer.EventUUID == nil {
				return nil, fmt.Errorf("another answer: %+v", answer)
			}
			got = append(got, answer.Payload)
		}
		return got, nil
	})
	start(t, w)
	first, second := s.create("job", `{}`), s.create("job", `{}`)
	for i := range 4 {
		_, err := s.EmitEvent(t.Context(), executor.Event{Namespace: "shop", Name: "tick", Key: "clock", Payload: fmt.Append(nil, i)})
		require.NoError(t, err)
	}
	for _, task := range []uuid.UUID{first, second} {
		s.wait(task, state.TaskComplete)
		require.JSONEq(t, "[1, 2, 3]", string(s.step(task, "work").Results))
		require.Equal(t, []string{"$event.tick", "$event.tick", "$event.tick"}, s.kept(task))
		s.sound(task)
	}
}

func TestOnce_AnErrorIsTriedAgainByTheStepAndKeptInTheLastAttempt(t *testing.T) {
	t.Parallel()
	s := open(t, map[string]string{"job": eager})
	var c tally
	w := newWorker(t, s.pool, worker.Config{})
	worker.Handle(w, "work", func(ctx context.Context, job *worker.Job[none]) (string, error) {
		for i := range 5 {
			// Each fails once: with three attempts for all of them the step would fail.
			_, err := worker.Once(ctx, job, fmt.Sprintf("flaky.%d", i), func(_ context.Context, key uuid.UUID) (int, error) {
				c.add(fmt.Sprintf("flaky.%d", i), key)
				if len(c.keys[fmt.Sprintf("flaky.%d", i)]) == 1 {
					return 0, errors.New("not yet")
				}
				return i, nil
			})
			if err != nil {
				return "", err
			}
		}
		_, err := worker.Once(ctx, job, "broken", func(_ context.Context, key uuid.UUID) (int, error) {
			c.add("broken", key)
			return 0, errors.New("the bank is closed")
		})
		var kept *worker.KeptError
		if !errors.As(err, &kept) || kept.Text != "the bank is closed" {
			return "", worker.Permanent(fmt.Errorf("got %w", err))
		}
		_, refundErr := worker.Once(ctx, job, "refund", does(&c, "refund", 1))
		return "", errors.Join(err, refundErr)
	})
	start(t, w)
	task := s.create("job", `{}`)
	s.wait(task, state.TaskBlockedByFailures)
	require.Len(t, c.keys["broken"], 3, "the call is tried in each of the step's three attempts")
	require.Len(t, c.keys["refund"], 1, "the function sees the error once")
	for i := range 5 {
		keys := c.keys[fmt.Sprintf("flaky.%d", i)]
		require.Len(t, keys, 2)
		require.Equal(t, keys[0], keys[1], "the key is the same in every run")
	}
	require.Contains(t, *s.step(task, "work").LastError, "broken: the bank is closed")
	s.sound(task)
}

// Case A2.2: a kept error stays, even if the call would succeed now.
func TestOnce_AKeptErrorStays(t *testing.T) {
	t.Parallel()
	s := open(t, map[string]string{"job": eager})
	var c tally
	w := newWorker(t, s.pool, worker.Config{})
	worker.Handle(w, "work", func(ctx context.Context, job *worker.Job[none]) (string, error) {
		_, err := worker.Once(ctx, job, "charge", func(_ context.Context, key uuid.UUID) (int, error) {
			c.add("charge", key)
			return 0, errors.New("declined")
		}, worker.Tries(2, time.Microsecond))
		if err == nil {
			return "paid", nil
		}
		if _, err := worker.Once(ctx, job, "refund", does(&c, "refund", 1)); err != nil {
			return "", err
		}
		if _, err := worker.Await(ctx, job, worker.Signal[none]("seen"), worker.Waiting{}); err != nil {
			return "", err
		}
		return "refunded: " + err.Error(), nil
	})
	start(t, w)
	task := s.create("job", `{}`)
	s.answer(task, "seen", `{}`)
	s.wait(task, state.TaskComplete)
	require.Equal(t, []string{"charge", "charge", "refund"}, c.all())
	require.JSONEq(t, `"refunded: charge: declined"`, string(s.step(task, "work").Results))
	s.sound(task)
}

// PostgreSQL does not store these texts: an error that could not be kept would repeat its call.
func TestOnce_KeepsAnErrorOfAnyText(t *testing.T) {
	t.Parallel()
	s := open(t, map[string]string{"job": eager})
	w := newWorker(t, s.pool, worker.Config{})
	var c tally
	worker.Handle(w, "work", func(ctx context.Context, job *worker.Job[none]) ([]string, error) {
		var texts []string
		for i, text := range []string{"a\x00b", "a\xffb", strings.Repeat("x", 8000) + strings.Repeat("ä", 200)} {
			name := fmt.Sprint("call-", i)
			_, err := worker.Once(ctx, job, name, func(_ context.Context, key uuid.UUID) (int, error) {
				c.add(name, key)
				return 0, worker.Permanent(errors.New(text))
			})
			var kept *worker.KeptError
			if !errors.As(err, &kept) {
				return nil, err
			}
			texts = append(texts, kept.Text[:min(5, len(kept.Text))])
		}
		return texts, nil
	})
	start(t, w)
	task := s.create("job", `{}`)
	s.wait(task, state.TaskComplete)
	require.Equal(t, []string{"call-0", "call-1", "call-2"}, c.all())
	require.JSONEq(t, `["a\ufffdb", "a\ufffdb", "xxxxx"]`, string(s.step(task, "work").Results))
}

func TestOnceTx_HasItsEffectsExactlyOnce(t *testing.T) {
	t.Parallel()
	s := open(t, map[string]string{"job": eager})
	_, err := s.pool.Exec(t.Context(), "create table public.effects (task uuid not null)")
	require.NoError(t, err)
	w := newWorker(t, s.pool, worker.Config{})
	var tried atomic.Int32
	worker.Handle(w, "work", func(ctx context.Context, job *worker.Job[none]) (int, error) {
		n, err := worker.OnceTx(ctx, job, "book", func(ctx context.Context, tx pgx.Tx) (int, error) {
			if _, err := tx.Exec(ctx, "insert into public.effects values ($1)", job.TaskUUID); err != nil {
				return 0, err
			}
			if tried.Add(1) == 1 {
				return 0, errors.New("after the insert")
			}
			return 7, nil
		})
		if err != nil {
			return 0, err
		}
		if _, err := worker.Await(ctx, job, worker.Signal[none]("go"), worker.Waiting{}); err != nil {
			return 0, err
		}
		return n, nil
	})
	start(t, w)
	task := s.create("job", `{}`)
	s.answer(task, "go", `{}`)
	s.wait(task, state.TaskComplete)
	require.JSONEq(t, `7`, string(s.step(task, "work").Results))
	var effects int
	require.NoError(t, s.pool.QueryRow(t.Context(), "select count(*) from public.effects").Scan(&effects))
	require.Equal(t, 1, effects)
	require.Equal(t, int32(2), tried.Load())
	s.sound(task)
}

// Case A2.3: another worker takes over the step while a call runs.
func TestOnce_WhatIsDoneUnderALostClaimIsNotKept(t *testing.T) {
	t.Parallel()
	s := open(t, map[string]string{"job": single})
	w := newWorker(t, s.pool, worker.Config{Concurrency: 1})
	begun, finish := make(chan uuid.UUID, 1), make(chan struct{})
	worker.Handle(w, "work", func(ctx context.Context, job *worker.Job[none]) (string, error) {
		_, err := worker.Once(ctx, job, "charge", func(context.Context, uuid.UUID) (int, error) {
			begun <- job.StepUUID
			<-finish
			return 1, nil
		})
		return "too late", err
	})
	start(t, w)
	task := s.create("job", `{}`)
	claim := s.takeOver(receive(t, begun))
	answer, err := s.KeepStepResult(t.Context(), claim, direct.KeptCall{Position: 1, Name: "charge", Occurrence: 1}, []byte(`2`), "")
	require.NoError(t, err)
	require.Equal(t, gen.CallAnswerKept, answer.Answer)
	close(finish)
	s.requireTheOthers(task, w, claim)
	require.Equal(t, []string{"charge"}, s.kept(task))
}

// Case A2.5: none of these functions may end with success.
func TestOnce_RefusesMisuse(t *testing.T) {
	t.Parallel()
	for name, handler := range map[string]worker.Handler[none, string]{
		"inside of another call": func(ctx context.Context, job *worker.Job[none]) (string, error) {
			return worker.Once(ctx, job, "outer", func(ctx context.Context, _ uuid.UUID) (string, error) {
				_, _ = worker.Once(ctx, job, "inner", does(&tally{}, "", 1))
				return "done", nil
			})
		},
		"another goroutine": func(ctx context.Context, job *worker.Job[none]) (string, error) {
			done := make(chan struct{})
			go func() {
				defer close(done)
				_, _ = worker.Once(ctx, job, "a", does(&tally{}, "", 1))
			}()
			<-done
			return "done", nil
		},
		"in another goroutine: a durable function": func(ctx context.Context, job *worker.Job[none]) (string, error) {
			done := make(chan struct{})
			go func() {
				defer close(done)
				worker.Sleep(ctx, job, time.Hour)
			}()
			<-done
			return "done", nil
		},
		"is not a name for a call": func(ctx context.Context, job *worker.Job[none]) (string, error) {
			return worker.Once(ctx, job, "$sleep", does(&tally{}, "", "done"))
		},
		"cannot be kept": func(ctx context.Context, job *worker.Job[none]) (string, error) {
			_, err := worker.Once(ctx, job, "a", does(&tally{}, "", make(chan int)))
			return "done", err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t, map[string]string{"job": eager})
			w := newWorker(t, s.pool, worker.Config{})
			worker.Handle(w, "work", handler)
			start(t, w)
			task := s.create("job", `{}`)
			s.wait(task, state.TaskBlockedByFailures)
			require.Contains(t, *s.step(task, "work").LastError, name)
			require.Equal(t, int32(1), s.step(task, "work").Attempts, "the step is not tried again")
			s.sound(task)
		})
	}
}

// Case A2.5, too: calls of a function that has stopped have no effect.
func TestSleep_NothingAFunctionDoesAfterwardsCounts(t *testing.T) {
	t.Parallel()
	s := open(t, map[string]string{"job": eager})
	w := newWorker(t, s.pool, worker.Config{})
	var c tally
	causes := make(chan error, 1)
	worker.Handle(w, "work", func(ctx context.Context, job *worker.Job[none]) (answer string, err error) {
		defer func() { _, _ = worker.Once(ctx, job, "late", does(&c, "late", 1)) }()
		defer func() { causes <- context.Cause(ctx) }()
		defer func() {
			if value := recover(); value != nil {
				answer = "recovered"
			}
		}()
		worker.Sleep(ctx, job, time.Hour)
		return "done", nil
	})
	start(t, w)
	task := s.create("job", `{}`)
	require.ErrorIs(t, receive(t, causes), worker.ErrSuspended)
	until(t, func() bool { return w.Stats().Suspended == 1 }, func() string { return fmt.Sprintf("%+v", w.Stats()) })
	require.Equal(t, state.StepSuspended, s.step(task, "work").State)
	require.Empty(t, c.all())
	require.Zero(t, w.Stats().Completed+w.Stats().Failed+w.Stats().Refused)
	s.sound(task)
}

// Once a short sleep held a place and a limit, and a long one did not.
func TestSleep_HoldsNeitherAPlaceNorALimitWhateverItsLength(t *testing.T) {
	t.Parallel()
	for _, length := range []time.Duration{4 * time.Second, time.Hour} {
		t.Run(length.String(), func(t *testing.T) {
			t.Parallel()
			s := open(t, map[string]string{"job": `[{"name": "work", "limit": "bank"}]`, "other": `[{"name": "other", "limit": "bank"}]`})
			_, err := s.pool.Exec(t.Context(), "select tasker.set_limit('shop', 'bank', 1)")
			require.NoError(t, err)
			w := newWorker(t, s.pool, worker.Config{Concurrency: 1})
			worker.Handle(w, "work", func(ctx context.Context, job *worker.Job[none]) (none, error) {
				worker.Sleep(ctx, job, length)
				return none{}, nil
			})
			worker.Handle(w, "other", func(context.Context, *worker.Job[none]) (none, error) { return none{}, nil })
			start(t, w)
			task := s.create("job", `{}`)
			until(t, func() bool { return s.step(task, "work").State == state.StepSuspended }, func() string { return "it is not suspended" })
			s.wait(s.create("other", `{}`), state.TaskComplete)
			require.Equal(t, state.StepSuspended, s.step(task, "work").State, "it still sleeps")
			s.sound(task)
		})
	}
}

// Case A2.4, and two builds at the same time.
func TestChanged_LetsNewCodeIn(t *testing.T) {
	t.Parallel()
	build := func(c *tally, check func(ctx context.Context, job *worker.Job[none]) bool) worker.Handler[none, string] {
		return func(ctx context.Context, job *worker.Job[none]) (string, error) {
			if check(ctx, job) {
				if _, err := worker.Once(ctx, job, "fraud", does(c, "fraud", 1)); err != nil {
					return "", err
				}
			}
			if _, err := worker.Once(ctx, job, "charge", does(c, "charge", 1)); err != nil {
				return "", err
			}
			if _, err := worker.Await(ctx, job, worker.Signal[none]("go"), worker.Waiting{}); err != nil {
				return "", err
			}
			_, err := worker.Once(ctx, job, "ship", does(c, "ship", 1))
			return "done", err
		}
	}
	never := func(context.Context, *worker.Job[none]) bool { return false }
	always := func(context.Context, *worker.Job[none]) bool { return true }
	asks := func(ctx context.Context, job *worker.Job[none]) bool { return worker.Changed(ctx, job, "fraud-check") }

	t.Run("without it the step waits for the code that fits", func(t *testing.T) {
		t.Parallel()
		s := open(t, map[string]string{"job": single})
		var c tally
		older, newer := newWorker(t, s.pool, worker.Config{}), newWorker(t, s.pool, worker.Config{})
		worker.Handle(older, "work", build(&c, never))
		worker.Handle(newer, "work", build(&c, always))
		r := start(t, older)
		task := s.create("job", `{}`)
		until(t, func() bool { return s.step(task, "work").State == state.StepSuspended }, func() string { return "it does not wait" })
		r.stop()
		require.NoError(t, r.ended())
		r = start(t, newer)
		s.answer(task, "go", `{}`)
		until(t, func() bool { return newer.Stats().Suspended > 0 }, func() string { return fmt.Sprintf("%+v", newer.Stats()) })
		r.stop() // it tries again after some seconds, and would get the step before the older code does
		require.NoError(t, r.ended())
		explained, err := s.ExplainStep(t.Context(), s.step(task, "work").WorkflowStepUUID)
		require.NoError(t, err)
		require.Contains(t, explained.Summary, `it asks for "fraud", but "charge" is kept there`)
		health, err := s.GetSystemHealthCounts(t.Context())
		require.NoError(t, err)
		require.Equal(t, int64(1), health.DivergedSteps)
		require.Zero(t, s.step(task, "work").Attempts)
		require.Equal(t, []string{"charge"}, c.all(), "no call is made again")
		s.sound(task)

		again := newWorker(t, s.pool, worker.Config{})
		worker.Handle(again, "work", build(&c, never))
		_, err = s.pool.Exec(t.Context(), "update tasker.timers set due_at = now() where kind = 'end_wait'")
		require.NoError(t, err)
		until(t, func() bool {
			claimed, err := s.ClaimSteps(t.Context(), direct.ClaimRequest{WorkerUUID: uuid.New(), Limit: 1})
			if err != nil || len(claimed) == 0 {
				return false
			}
			result, err := inner.Of(again).Do(t.Context(), s.pool, claimed[0])
			require.NoError(t, err)
			_, err = s.CompleteSteps(t.Context(), []direct.StepResult{result})
			return err == nil
		}, func() string { return "the older code does not get it" })
		s.wait(task, state.TaskComplete)
		require.Equal(t, []string{"charge", "ship"}, c.all(), "the older code continues the function")
		s.sound(task)
	})

	t.Run("with it both kinds of runs end", func(t *testing.T) {
		t.Parallel()
		s := open(t, map[string]string{"job": single})
		var c tally
		older, newer := newWorker(t, s.pool, worker.Config{}), newWorker(t, s.pool, worker.Config{})
		worker.Handle(older, "work", build(&c, never))
		worker.Handle(newer, "work", build(&c, asks))
		r := start(t, older)
		first := s.create("job", `{}`)
		until(t, func() bool { return s.step(first, "work").State == state.StepSuspended }, func() string { return "it does not wait" })
		r.stop()
		require.NoError(t, r.ended())
		start(t, newer)
		s.answer(first, "go", `{}`)
		s.wait(first, state.TaskComplete)
		require.Equal(t, []string{"charge", "ship"}, c.all(), "the first function has passed the change and does not run it")
		second := s.create("job", `{}`)
		s.answer(second, "go", `{}`)
		s.wait(second, state.TaskComplete)
		require.Equal(t, []string{"charge", "ship", "fraud", "charge", "ship"}, c.all(), "the second function runs the new code")
		require.Equal(t, []string{"$changed.fraud-check", "fraud", "charge", "$await.go", "ship"}, s.kept(second))
		s.sound(first, second)
	})
}

func TestContinueAs_BeginsAgainWithANewState(t *testing.T) {
	t.Parallel()
	s := open(t, map[string]string{"job": eager})
	s.set("kept_results", "2")
	w := newWorker(t, s.pool, worker.Config{})
	var c tally
	worker.Handle(w, "work", func(ctx context.Context, job *worker.Job[none]) (int, error) {
		var n int
		if _, err := job.State(&n); err != nil {
			return 0, err
		}
		if _, err := worker.Once(ctx, job, "count", does(&c, "count", n)); err != nil {
			return 0, err
		}
		if n == 50 {
			return n, nil
		}
		// A checkpoint is a status to publish: it does not change the state.
		if err := job.Checkpoint(ctx, "busy"); err != nil {
			return 0, err
		}
		worker.ContinueAs(ctx, job, n+1)
		return -1, nil
	})
	start(t, w)
	task := s.create("job", `{}`)
	s.wait(task, state.TaskComplete)
	require.JSONEq(t, `50`, string(s.step(task, "work").Results))
	require.JSONEq(t, `"busy"`, string(s.step(task, "work").Checkpoint))
	require.JSONEq(t, `50`, string(s.step(task, "work").FunctionState))
	keys := c.keys["count"]
	require.Len(t, keys, 51)
	slices.SortFunc(keys, func(a, b uuid.UUID) int { return slices.Compare(a[:], b[:]) })
	require.Len(t, slices.Compact(keys), 51, "each round's call has a key of its own")
	require.Equal(t, []string{"count"}, s.kept(task))
	s.sound(task)
}

// Case A2.15: the error says what to do.
func TestOnce_TheLimitNamesItsWayOut(t *testing.T) {
	t.Parallel()
	s := open(t, map[string]string{"job": eager})
	s.set("kept_results", "2")
	w := newWorker(t, s.pool, worker.Config{})
	worker.Handle(w, "work", func(ctx context.Context, job *worker.Job[none]) (string, error) {
		for range 3 {
			if _, err := worker.Once(ctx, job, "count", does(&tally{}, "", 1)); err != nil {
				return "", err
			}
		}
		return "done", nil
	})
	start(t, w)
	task := s.create("job", `{}`)
	s.wait(task, state.TaskBlockedByFailures)
	require.Contains(t, *s.step(task, "work").LastError, "may keep no more")
	require.Contains(t, *s.step(task, "work").LastError, "worker.ContinueAs")
	s.sound(task)
}

// A time that is left may be none: it has passed, and the function goes on at once.
func TestAwait_ATimeThatHasPassedEndsTheWait(t *testing.T) {
	t.Parallel()
	s := open(t, map[string]string{"job": eager})
	w := newWorker(t, s.pool, worker.Config{})
	worker.Handle(w, "work", func(ctx context.Context, job *worker.Job[none]) ([]string, error) {
		var got []string
		for _, left := range []time.Duration{-time.Hour, -1, 400 * time.Microsecond} {
			answer, err := worker.Await(ctx, job, worker.Signal[int]("never"), worker.Waiting{Timeout: left})
			if err != nil {
				return nil, err
			}
			got = append(got, answer.By)
		}
		answer, err := worker.Await(ctx, job, worker.Event[int]("never"), worker.Waiting{Timeout: -1, LookBack: -1})
		worker.Sleep(ctx, job, -time.Hour)
		worker.Sleep(ctx, job, 0)
		return append(got, answer.By), err
	})
	start(t, w)
	task := s.create("job", `{}`)
	s.wait(task, state.TaskComplete)
	require.JSONEq(t, `["timeout", "timeout", "timeout", "timeout"]`, string(s.step(task, "work").Results))
	s.sound(task)
}
