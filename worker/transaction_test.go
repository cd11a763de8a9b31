package worker_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/state"
	"github.com/pgtasker/pgtasker/worker"
)

// ledger is a shop with a table in which handlers write; a write is not unique, so that doubles are seen.
func ledger(t testing.TB, templates map[string]string, options ...pgtest.Option) *shop {
	t.Helper()
	s := open(t, templates, options...)
	_, err := s.pool.Exec(t.Context(), `create table public.writes (task uuid not null, step text not null);
		create table public.part (no int primary key, of int references public.part deferrable initially deferred)`)
	require.NoError(t, err)
	return s
}

func write(ctx context.Context, tx pgx.Tx, job *worker.Job[none]) error {
	_, err := tx.Exec(ctx, "insert into public.writes values ($1, $2)", job.TaskUUID, job.Name)
	return err
}

// writes returns how often each step of a task has written.
func (s *shop) writes(task uuid.UUID) map[string]int {
	s.t.Helper()
	rows, err := s.pool.Query(s.t.Context(), "select w.step from public.writes as w where w.task = $1", task)
	require.NoError(s.t, err)
	steps, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(s.t, err)
	n := map[string]int{}
	for _, step := range steps {
		n[step]++
	}
	return n
}

// failed waits until the step "work" of a task has failed for good, and returns its error.
func (s *shop) failed(task uuid.UUID) string {
	s.t.Helper()
	until(s.t, func() bool { return s.step(task, "work").State == state.StepError }, func() string {
		return fmt.Sprintf("it is %s", s.step(task, "work").State)
	})
	return *s.step(task, "work").LastError
}

func TestHandleTx_CommitsWritesAndResultTogetherBesidePlainHandlers(t *testing.T) {
	t.Parallel()
	for name, config := range map[string]worker.Config{"listening": {}, "polling": {PollOnly: true, PollInterval: 50 * time.Millisecond}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := ledger(t, map[string]string{"order": diamond})
			w := newWorker(t, s.pool, config)
			for _, name := range []string{"reserve", "charge", "ship"} {
				worker.HandleTx(w, name, func(ctx context.Context, tx pgx.Tx, job *worker.Job[none]) (string, error) {
					return name + " did", write(ctx, tx, job)
				})
			}
			worker.Handle(w, "pack", func(_ context.Context, job *worker.Job[none]) (string, error) {
				return worker.Result[string](job, "reserve")
			})
			start(t, w)
			tasks := s.createMany("order", 20)
			s.waitAll()
			for _, task := range tasks {
				require.Equal(t, map[string]int{"reserve": 1, "charge": 1, "ship": 1}, s.writes(task))
				require.JSONEq(t, `"reserve did"`, string(s.step(task, "pack").Results))
				require.JSONEq(t, `"ship did"`, string(s.step(task, "ship").Results))
			}
			until(t, func() bool { return w.Stats().Completed == 80 }, func() string { return fmt.Sprintf("%+v", w.Stats()) })
			s.sound(tasks...)
		})
	}
}

func TestHandleTx_AFailureRollsBackAndIsRecordedAsThatOfAnyHandler(t *testing.T) {
	t.Parallel()
	type handler = func(ctx context.Context, tx pgx.Tx, job *worker.Job[none]) (any, error)
	says := func(err error) handler {
		return func(context.Context, pgx.Tx, *worker.Job[none]) (any, error) { return nil, err }
	}
	exec := func(sql string) handler {
		return func(ctx context.Context, tx pgx.Tx, _ *worker.Job[none]) (any, error) {
			_, err := tx.Exec(ctx, sql)
			return nil, err
		}
	}
	for name, c := range map[string]struct {
		f        handler
		says     string
		attempts int
		wrote    int // although the transaction was not the worker's any longer
	}{
		"an error":          {says(errors.New("no stock")), "no stock", 3, 0},
		"a permanent error": {says(worker.Permanent(errors.New("no such customer"))), "no such customer", 1, 0},
		"a panic":           {func(context.Context, pgx.Tx, *worker.Job[none]) (any, error) { panic("broken") }, "panic: broken", 3, 0},
		"the end of its goroutine": {func(context.Context, pgx.Tx, *worker.Job[none]) (any, error) {
			runtime.Goexit()
			return nil, nil
		}, "the handler ended its goroutine", 3, 0},
		"a time-out": {func(ctx context.Context, _ pgx.Tx, job *worker.Job[none]) (any, error) {
			if job.Attempt < 3 {
				return nil, errors.New("not yet")
			}
			<-ctx.Done()
			return nil, ctx.Err()
		}, "timed out after 1s", 3, 0},
		"a time-out in a statement": {func(ctx context.Context, tx pgx.Tx, job *worker.Job[none]) (any, error) {
			if job.Attempt < 3 {
				return nil, errors.New("not yet")
			}
			_, err := tx.Exec(ctx, "select pg_sleep(8)")
			return nil, err
		}, "timed out after 1s", 3, 0},
		"a statement that fails": {exec("select 1/0"), "division by zero", 3, 0},
		"a statement that fails, and is swallowed": {func(ctx context.Context, tx pgx.Tx, _ *worker.Job[none]) (any, error) {
			_, _ = tx.Exec(ctx, "select 1/0")
			return 1, nil
		}, `a statement of handler "work" failed, and its function returned no error`, 1, 0},
		"a constraint that is checked at the commit": {exec("insert into public.part values (1, 2)"), "violates foreign key constraint", 3, 0},
		"an end of its transaction": {func(ctx context.Context, tx pgx.Tx, _ *worker.Job[none]) (any, error) {
			return nil, tx.Commit(ctx)
		}, `the function of handler "work" ended its transaction`, 1, 0},
		"an end of its transaction by SQL":       {exec("rollback"), `the function of handler "work" ended its transaction`, 1, 0},
		"an end of its transaction that commits": {exec("commit"), `the function of handler "work" ended its transaction`, 1, 1},
		"another transaction after its own": {func(ctx context.Context, tx pgx.Tx, _ *worker.Job[none]) (any, error) {
			for _, sql := range []string{"commit", "begin", "insert into public.part values (3, null)"} {
				if _, err := tx.Exec(ctx, sql); err != nil {
					return nil, err
				}
			}
			return 1, nil
		}, `the function of handler "work" ended its transaction`, 1, 1},
		"another transaction after its own, in one statement": {exec("commit; begin"), `the function of handler "work" ended its transaction`, 1, 1},
		"another transaction after its own, of the same kind": {exec("commit and chain"), `the function of handler "work" ended its transaction`, 1, 1},
		"another transaction instead of its own":              {exec("rollback; begin"), `the function of handler "work" ended its transaction`, 1, 0},
		"another isolation level":                             {exec("rollback; begin isolation level serializable"), `the function of handler "work" ended its transaction`, 1, 0},
		"a result that is too large": {func(context.Context, pgx.Tx, *worker.Job[none]) (any, error) {
			return strings.Repeat("x", 2<<20), nil
		}, "is too large", 1, 0},
		"a result that is no JSON": {func(context.Context, pgx.Tx, *worker.Job[none]) (any, error) {
			return func() {}, nil
		}, "cannot be stored", 1, 0},
		"a call of a durable function": {func(ctx context.Context, _ pgx.Tx, job *worker.Job[none]) (any, error) {
			return worker.Once(ctx, job, "charge", func(context.Context, uuid.UUID) (int, error) { return 1, nil })
		}, "was called in a handler with a transaction", 1, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := ledger(t, map[string]string{"job": eager})
			w := newWorker(t, s.pool, worker.Config{})
			worker.HandleTx(w, "work", func(ctx context.Context, tx pgx.Tx, job *worker.Job[none]) (any, error) {
				if err := write(ctx, tx, job); err != nil {
					return nil, err
				}
				return c.f(ctx, tx, job)
			}, worker.Timeout(time.Second))
			start(t, w)
			task := s.create("job", `{}`)
			require.Contains(t, s.failed(task), c.says)
			require.EqualValues(t, c.attempts, s.step(task, "work").Attempts)
			require.Equal(t, c.wrote, s.writes(task)["work"])
			require.Nil(t, s.step(task, "work").Results)
			s.sound(task)
			until(t, func() bool { return s.pool.Stat().AcquiredConns() <= 1 }, func() string { return "a connection is not given back" })
		})
	}
}

func TestHandleTx_RollsBackIfTheStepIsNoLongerItsWorkers(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		meanwhile func(s *shop, task uuid.UUID) error
		says      string
		result    string
	}{
		"cancelled": {func(s *shop, task uuid.UUID) error {
			_, err := s.CancelTask(s.t.Context(), task, "", "")
			return err
		}, "cancelled", ``},
		"resolved by an operator": {func(s *shop, task uuid.UUID) error {
			_, err := s.ResolveStepManually(s.t.Context(), s.step(task, "work").WorkflowStepUUID, "", "")
			return err
		}, "is recorded already", ``},
		"another worker's": {func(s *shop, task uuid.UUID) error {
			step := s.step(task, "work")
			claim := direct.StepClaim{StepUUID: step.WorkflowStepUUID, ClaimNo: step.ClaimNo}
			if _, err := s.ReleaseSteps(s.t.Context(), []direct.StepClaim{claim}); err != nil {
				return err
			}
			_, err := s.ClaimStep(s.t.Context(), step.WorkflowStepUUID, uuid.New(), time.Hour)
			return err
		}, "stale", ``},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := ledger(t, map[string]string{"job": eager})
			var log journal
			w := newWorker(t, s.pool, worker.Config{Logger: log.logger(), Lease: time.Hour, PollOnly: true})
			outcome := make(chan worker.Outcome, 1)
			w.Use(func(next worker.HandlerFunc) worker.HandlerFunc {
				return func(ctx context.Context, step *worker.Step) (json.RawMessage, error) {
					raw, err := next(ctx, step)
					require.True(t, step.WhenRecorded(func(err error) { outcome <- worker.OutcomeOf(ctx, err) }))
					return raw, err
				}
			})
			wrote, goOn := make(chan bool), make(chan bool)
			worker.HandleTx(w, "work", func(ctx context.Context, tx pgx.Tx, job *worker.Job[none]) (int, error) {
				err := write(ctx, tx, job)
				wrote <- true
				<-goOn
				return 7, err
			})
			start(t, w)
			task := s.create("job", `{}`)
			receive(t, wrote)
			require.NoError(t, c.meanwhile(s, task))
			goOn <- true
			log.says(t, "what its handler wrote is rolled back", c.says)
			require.Equal(t, worker.OutcomeLost, receive(t, outcome))
			require.Empty(t, s.writes(task))
			until(t, func() bool { return w.Stats().Refused == 1 }, func() string { return fmt.Sprintf("%+v", w.Stats()) })
			require.NotContains(t, string(s.step(task, "work").Results), "7")
		})
	}
}

func TestHandleTx_RunsAgainUnderItsClaimIfItsTransactionIsLost(t *testing.T) {
	t.Parallel()
	for name, again := range map[string]func(s *shop, ctx context.Context, tx pgx.Tx) error{
		"its connection, which it notices": func(s *shop, ctx context.Context, tx pgx.Tx) error {
			s.cut(tx)
			_, err := tx.Exec(ctx, "select 1")
			return fmt.Errorf("no word of its cause: %v", err) //nolint:errorlint // as programs do
		},
		"its connection, which it does not notice": func(s *shop, _ context.Context, tx pgx.Tx) error {
			s.cut(tx)
			return nil
		},
		"a serialization failure": func(_ *shop, ctx context.Context, tx pgx.Tx) error {
			_, err := tx.Exec(ctx, "do $$ begin raise exception using errcode = '40001'; end $$")
			return err
		},
		"a conflict at the commit": func(_ *shop, ctx context.Context, tx pgx.Tx) error {
			_, err := tx.Exec(ctx, `create temporary table t (n int) on commit drop;
				create function pg_temp.conflicts() returns trigger language plpgsql as 'begin raise exception using errcode = ''40P01''; end';
				create constraint trigger c after insert on t deferrable initially deferred for each row execute function pg_temp.conflicts();
				insert into t values (1)`)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := ledger(t, map[string]string{"job": `[{"name": "work", "retry": {"max_attempts": 1}}]`})
			w := newWorker(t, s.pool, worker.Config{})
			var runs atomic.Int32
			worker.HandleTx(w, "work", func(ctx context.Context, tx pgx.Tx, job *worker.Job[none]) (int, error) {
				if err := write(ctx, tx, job); err != nil {
					return 0, err
				}
				if runs.Add(1) <= 2 {
					if err := again(s, ctx, tx); err != nil {
						return 0, err
					}
				}
				return 7, nil
			})
			start(t, w)
			task := s.create("job", `{}`)
			s.wait(task, state.TaskComplete)
			require.JSONEq(t, `7`, string(s.step(task, "work").Results))
			require.Equal(t, int32(3), runs.Load())
			require.Equal(t, 1, s.writes(task)["work"])
			require.EqualValues(t, 1, s.step(task, "work").Attempts)
			s.sound(task)
		})
	}
}

func TestHandleTx_FailsIfItsTransactionIsLostAgainAndAgain(t *testing.T) {
	t.Parallel()
	s := ledger(t, map[string]string{"job": `[{"name": "work", "retry": {"max_attempts": 1}}]`})
	w := newWorker(t, s.pool, worker.Config{})
	var runs atomic.Int32
	outcomes := make(chan worker.Outcome, 100)
	worker.HandleTx(w, "work", func(ctx context.Context, tx pgx.Tx, job *worker.Job[none]) (int, error) {
		runs.Add(1)
		_, err := tx.Exec(ctx, "do $$ begin raise exception using errcode = '40001', message = 'not now'; end $$")
		return 0, err
	}, worker.Timeout(3*time.Second), worker.With(func(next worker.HandlerFunc) worker.HandlerFunc {
		return func(ctx context.Context, step *worker.Step) (json.RawMessage, error) {
			raw, err := next(ctx, step)
			outcomes <- worker.OutcomeOf(ctx, err)
			return raw, err
		}
	}))
	start(t, w)
	task := s.create("job", `{}`)
	require.Contains(t, s.failed(task), "not now")
	require.Greater(t, runs.Load(), int32(2), "its time-out ends it")
	require.EqualValues(t, 1, s.step(task, "work").Attempts)
	require.Equal(t, worker.OutcomeRolledBack, receive(t, outcomes))
}

func TestHandleTx_LooksWhetherALostCommitHasHappened(t *testing.T) {
	t.Parallel()
	s := ledger(t, map[string]string{"job": `[{"name": "work", "retry": {"max_attempts": 1}}]`})
	var lose atomic.Bool
	config := s.pool.Config()
	dial := config.ConnConfig.DialFunc
	config.ConnConfig.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dial(ctx, network, address)
		return deaf{conn, &lose}, err
	}
	pool, err := pgxpool.NewWithConfig(t.Context(), config)
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	w := newWorker(t, pool, worker.Config{})
	var runs atomic.Int32
	worker.HandleTx(w, "work", func(ctx context.Context, tx pgx.Tx, job *worker.Job[none]) (int, error) {
		lose.Store(runs.Add(1) == 1)
		return 7, write(ctx, tx, job)
	})
	start(t, w)
	task := s.create("job", `{}`)
	s.wait(task, state.TaskComplete)
	until(t, func() bool { return w.Stats().Completed == 1 }, func() string { return fmt.Sprintf("%+v", w.Stats()) })
	require.False(t, lose.Load(), "the answer was lost")
	require.JSONEq(t, `7`, string(s.step(task, "work").Results))
	require.Equal(t, int32(1), runs.Load(), "what is committed is not done again")
	require.Equal(t, 1, s.writes(task)["work"])
	require.Zero(t, w.Stats().Refused)
}

func TestHandleTx_MiddlewareDecidesAboutTheResult(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		around func(next worker.HandlerFunc) worker.HandlerFunc
		result string
		writes int
	}{
		"it changes the result": {func(next worker.HandlerFunc) worker.HandlerFunc {
			return func(ctx context.Context, step *worker.Step) (json.RawMessage, error) {
				_, err := next(ctx, step)
				return json.RawMessage(`"sealed"`), err
			}
		}, `"sealed"`, 1},
		"it calls its handler twice": {func(next worker.HandlerFunc) worker.HandlerFunc {
			return func(ctx context.Context, step *worker.Step) (json.RawMessage, error) {
				if raw, err := next(ctx, step); err != nil {
					return raw, err
				}
				return next(ctx, step)
			}
		}, `2`, 1},
		"it makes an error of the result": {func(next worker.HandlerFunc) worker.HandlerFunc {
			return func(ctx context.Context, step *worker.Step) (json.RawMessage, error) {
				raw, err := next(ctx, step)
				if err == nil && step.Attempt == 1 {
					err = errors.New("not good enough")
				}
				return raw, err
			}
		}, `2`, 1},
		"it panics after the result": {func(next worker.HandlerFunc) worker.HandlerFunc {
			return func(ctx context.Context, step *worker.Step) (json.RawMessage, error) {
				raw, err := next(ctx, step)
				if step.Attempt == 1 {
					panic("broken")
				}
				return raw, err
			}
		}, `2`, 1},
		"it makes a result of an error": {func(next worker.HandlerFunc) worker.HandlerFunc {
			return func(ctx context.Context, step *worker.Step) (json.RawMessage, error) {
				if _, err := next(ctx, step); err == nil {
					return nil, worker.Permanent(errors.New("the handler should fail"))
				}
				return json.RawMessage(`"by default"`), nil
			}
		}, `"by default"`, 0},
		"it does not wait for its handler": {func(next worker.HandlerFunc) worker.HandlerFunc {
			return func(ctx context.Context, step *worker.Step) (json.RawMessage, error) {
				go func() { _, _ = next(ctx, step) }()
				return json.RawMessage(`"early"`), nil
			}
		}, `"early"`, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := ledger(t, map[string]string{"job": eager})
			w := newWorker(t, s.pool, worker.Config{})
			w.Use(c.around)
			var runs atomic.Int32
			ended := make(chan bool, 10)
			worker.HandleTx(w, "work", func(ctx context.Context, tx pgx.Tx, job *worker.Job[none]) (int, error) {
				defer func() { ended <- true }()
				if err := write(ctx, tx, job); err != nil {
					return 0, err
				}
				if c.result == `"by default"` {
					return 0, errors.New("no")
				}
				return int(runs.Add(1)), nil
			})
			start(t, w)
			task := s.create("job", `{}`)
			s.wait(task, state.TaskComplete)
			if c.result != `"early"` { // The end of the attempt may come before its handler begins.
				receive(t, ended)
			}
			require.JSONEq(t, c.result, string(s.step(task, "work").Results))
			until(t, func() bool { return s.pool.Stat().AcquiredConns() <= 1 }, func() string { return "a connection is not given back" })
			require.Equal(t, c.writes, s.writes(task)["work"])
		})
	}
}

func TestHandleTx_ACheckpointStaysIfItsTransactionRollsBack(t *testing.T) {
	t.Parallel()
	s := ledger(t, map[string]string{"job": eager})
	w := newWorker(t, s.pool, worker.Config{})
	worker.HandleTx(w, "work", func(ctx context.Context, tx pgx.Tx, job *worker.Job[none]) (int, error) {
		var page int
		if _, err := job.LastCheckpoint(&page); err != nil {
			return 0, err
		}
		if err := errors.Join(write(ctx, tx, job), job.Checkpoint(ctx, page+1)); err != nil {
			return 0, err
		}
		if page < 2 {
			return 0, errors.New("not yet")
		}
		return page, nil
	})
	start(t, w)
	task := s.create("job", `{}`)
	s.wait(task, state.TaskComplete)
	require.JSONEq(t, `2`, string(s.step(task, "work").Results))
	require.Equal(t, 1, s.writes(task)["work"])
}

func TestHandleTx_LeavesConnectionsToTheWorker(t *testing.T) {
	t.Parallel()
	s := ledger(t, map[string]string{"job": eager, "other": `[{"name": "other"}]`}, pgtest.MaxConns(4))
	var log journal
	w := newWorker(t, s.pool, worker.Config{Exchanges: 1, Concurrency: 10, Logger: log.logger()})
	began, goOn := make(chan bool, 10), make(chan bool)
	worker.HandleTx(w, "work", func(ctx context.Context, tx pgx.Tx, job *worker.Job[none]) (int, error) {
		began <- true
		<-goOn
		// The handler needs a second connection.
		return 1, errors.Join(write(ctx, tx, job), job.Checkpoint(ctx, 1))
	})
	worker.Handle(w, "other", func(context.Context, *worker.Job[none]) (int, error) { return 1, nil })
	start(t, w)
	tasks := s.createMany("job", 6)
	receive(t, began)
	receive(t, began)
	s.wait(s.create("other", `{}`), state.TaskComplete)
	require.Empty(t, began, "two handlers have a transaction; the others wait in the database")
	close(goOn)
	for _, task := range tasks {
		s.wait(task, state.TaskComplete)
		require.Equal(t, 1, s.writes(task)["work"])
	}
	log.says(t, "the pool is small for handlers with a transaction", "at_a_time=2", "enough=12")
	started, steps := s.attempts()
	require.Equal(t, steps, started)
}

func TestRun_RefusesAPoolOfOneConnectionForHandlersWithATransaction(t *testing.T) {
	t.Parallel()
	s := open(t, map[string]string{"job": eager}, pgtest.MaxConns(1))
	w := newWorker(t, s.pool, worker.Config{})
	worker.HandleTx(w, "work", func(context.Context, pgx.Tx, *worker.Job[none]) (int, error) { return 1, nil })
	require.ErrorContains(t, w.Run(t.Context()), `handler "work" has a transaction, which takes a connection, and the worker needs another one`)
}

func TestHandleTx_ItsContextEndsAndItsWritesRollBack(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		end   func(s *shop, r *running, task uuid.UUID)
		cause error
		state state.StepState
	}{
		"when its step is cancelled": {func(s *shop, _ *running, task uuid.UUID) {
			_, err := s.CancelTask(s.t.Context(), task, "", "")
			require.NoError(s.t, err)
		}, worker.ErrCancelled, state.StepCancelled},
		"when its worker stops, which hands the step back": {func(_ *shop, r *running, _ uuid.UUID) {
			r.stop()
		}, worker.ErrStopping, state.StepEnqueued},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := ledger(t, map[string]string{"job": eager})
			w := newWorker(t, s.pool, worker.Config{Lease: briefly, StopTimeout: -1})
			wrote, ended := make(chan bool, 1), make(chan error, 1)
			worker.HandleTx(w, "work", func(ctx context.Context, tx pgx.Tx, job *worker.Job[none]) (int, error) {
				err := write(ctx, tx, job)
				wrote <- true
				// If the request to cancel it comes too early, pgx closes the connection when the query ends, which pgtest waits for.
				_, waited := tx.Exec(ctx, "select pg_sleep(8)")
				ended <- context.Cause(ctx)
				return 7, errors.Join(err, waited)
			})
			r := start(t, w)
			task := s.create("job", `{}`)
			receive(t, wrote)
			c.end(s, r, task)
			require.ErrorIs(t, receive(t, ended), c.cause)
			r.stop()
			require.NoError(t, r.ended())
			step := s.step(task, "work")
			require.Equal(t, c.state, step.State)
			require.Empty(t, s.writes(task))
			if c.state == state.StepEnqueued {
				require.Zero(t, step.Attempts, "the attempt does not count")
			}
			s.sound(task)
		})
	}
}
