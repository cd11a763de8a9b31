package worker_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/state"
	"github.com/pgtasker/pgtasker/worker"
)

// pays is a function that charges another card if the first one is refused.
func pays[R any](c *tally, receipt R, mail error) worker.Handler[none, string] {
	return func(ctx context.Context, job *worker.Job[none]) (string, error) {
		if _, err := worker.Once(ctx, job, "charge-a", does(c, "a", receipt)); err != nil {
			_, err := worker.Once(ctx, job, "charge-b", does(c, "b", 1))
			return "paid by b", err
		}
		return "paid by a", mail
	}
}

func TestOnce_AKeptValueThatDoesNotFitSuspendsTheStep(t *testing.T) {
	t.Parallel()
	s := open(t, map[string]string{"job": `[{"name": "work", "retry": {"base_seconds": 0.01}}]`})
	var c tally
	old := newWorker(t, s.pool, worker.Config{})
	worker.Handle(old, "work", pays(&c, 4711, worker.RetryAfter(0, errors.New("no mail"))))
	before := start(t, old)
	task := s.create("job", `{}`)
	until(t, func() bool { return s.step(task, "work").LastError != nil }, func() string { return "no attempt has failed" })
	before.stop()
	require.NoError(t, before.ended())

	var log journal
	build := newWorker(t, s.pool, worker.Config{Logger: log.logger()})
	worker.Handle(build, "work", pays(&c, "r-4711", nil))
	after := start(t, build)
	until(t, func() bool { return s.step(task, "work").State == state.StepSuspended }, func() string {
		return fmt.Sprintf("it is %s", s.step(task, "work").State)
	})
	require.Equal(t, []string{"a"}, c.all(), "no other card is charged")
	log.says(t, "does not fit string")
	counts, err := s.GetSystemHealthCounts(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 1, counts.DivergedSteps)
	explained, err := s.ExplainStep(t.Context(), s.step(task, "work").WorkflowStepUUID)
	require.NoError(t, err)
	require.Contains(t, fmt.Sprint(explained), `the value that its call 1, "charge-a", has kept does not fit`)
	after.stop()
	require.NoError(t, after.ended())

	again := newWorker(t, s.pool, worker.Config{})
	worker.Handle(again, "work", pays(&c, 4711, nil))
	start(t, again)
	_, err = s.pool.Exec(t.Context(), "update tasker.timers set due_at = now() where kind = 'end_wait'")
	require.NoError(t, err)
	s.wait(task, state.TaskComplete)
	require.JSONEq(t, `"paid by a"`, string(s.step(task, "work").Results))
}

// unreadable is written as one kind of JSON and read as another.
type unreadable struct{ Text string }

func (unreadable) MarshalJSON() ([]byte, error) { return []byte(`"text"`), nil }

func TestOnce_AResultThatCannotBeReadBackFailsTheStep(t *testing.T) {
	t.Parallel()
	s := open(t, map[string]string{"job": eager})
	w := newWorker(t, s.pool, worker.Config{})
	var c tally
	worker.Handle(w, "work", func(ctx context.Context, job *worker.Job[none]) (string, error) {
		_, err := worker.Once(ctx, job, "make", does(&c, "make", unreadable{"x"}))
		return "went on", err
	})
	start(t, w)
	task := s.create("job", `{}`)
	until(t, func() bool { return s.step(task, "work").State == state.StepError }, func() string { return "it does not fail" })
	require.Contains(t, *s.step(task, "work").LastError, `the result of "make", worker_test.unreadable, cannot be read back`)
	require.Empty(t, s.kept(task))
}

// hangs is a call that ends with its context only.
func hangs(permanent bool) func(context.Context, uuid.UUID) (string, error) {
	return func(ctx context.Context, _ uuid.UUID) (string, error) {
		<-ctx.Done()
		if permanent {
			return "", worker.Permanent(ctx.Err())
		}
		return "", ctx.Err()
	}
}

func TestOnce_ATimeoutOfTheFunctionsOwnIsTheCallsError(t *testing.T) {
	t.Parallel()
	for name, call := range map[string]func(ctx context.Context, job *worker.Job[none]) error{
		"permanent": func(ctx context.Context, job *worker.Job[none]) error {
			_, err := worker.Once(ctx, job, "charge", hangs(true))
			return err
		},
		"after its tries": func(ctx context.Context, job *worker.Job[none]) error {
			_, err := worker.Once(ctx, job, "charge", hangs(false), worker.Tries(2, 0))
			return err
		},
		"in the last attempt": func(ctx context.Context, job *worker.Job[none]) error {
			_, err := worker.Once(ctx, job, "charge", hangs(false))
			return err
		},
		"in a transaction": func(ctx context.Context, job *worker.Job[none]) error {
			_, err := worker.OnceTx(ctx, job, "charge", func(ctx context.Context, tx pgx.Tx) (int, error) {
				_, err := tx.Exec(ctx, "select pg_sleep(600)")
				return 0, err
			}, worker.Tries(2, 0))
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t, map[string]string{"job": `[{"name": "work", "retry": {"max_attempts": 2, "base_seconds": 0.01}}]`})
			w := newWorker(t, s.pool, worker.Config{})
			worker.Handle(w, "work", func(ctx context.Context, job *worker.Job[none]) (string, error) {
				short, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
				defer cancel()
				if err := call(short, job); err != nil {
					return worker.Once(ctx, job, "other", func(context.Context, uuid.UUID) (string, error) { return err.Error(), nil })
				}
				return "paid", nil
			})
			start(t, w)
			task := s.create("job", `{}`)
			s.wait(task, state.TaskComplete)
			require.Contains(t, string(s.step(task, "work").Results), "charge: ")
			require.Contains(t, string(s.step(task, "work").Results), "context deadline exceeded")
		})
	}
}

func TestOnceTx_AResultThatComesAfterItsTimeoutIsKept(t *testing.T) {
	t.Parallel()
	s := open(t, map[string]string{"job": eager})
	w := newWorker(t, s.pool, worker.Config{})
	worker.Handle(w, "work", func(ctx context.Context, job *worker.Job[none]) (int, error) {
		short, cancel := context.WithCancel(ctx)
		return worker.OnceTx(short, job, "charge", func(context.Context, pgx.Tx) (int, error) {
			cancel()
			return 7, nil
		})
	})
	start(t, w)
	task := s.create("job", `{}`)
	s.wait(task, state.TaskComplete)
	require.EqualValues(t, 1, s.step(task, "work").Attempts)
}

func (s *shop) effects() (n int) {
	s.t.Helper()
	require.NoError(s.t, s.pool.QueryRow(s.t.Context(), "select count(*) from public.effects").Scan(&n))
	return n
}

// effect is a table that takes each task's effect once.
const effect = "create table public.effects (task uuid primary key)"

// cut ends the session of a transaction.
func (s *shop) cut(tx pgx.Tx) {
	s.t.Helper()
	var ended bool
	require.NoError(s.t, s.pool.QueryRow(s.t.Context(), "select pg_terminate_backend($1, 20000)", tx.Conn().PgConn().PID()).Scan(&ended))
	require.True(s.t, ended)
}

func TestOnceTx_RunsAgainInPlaceIfItsTransactionIsLost(t *testing.T) {
	t.Parallel()
	for name, again := range map[string]func(s *shop, ctx context.Context, tx pgx.Tx) error{
		"its connection, which its function notices": func(s *shop, ctx context.Context, tx pgx.Tx) error {
			s.cut(tx)
			_, err := tx.Exec(ctx, "select 1")
			return fmt.Errorf("no word of its cause: %v", err) //nolint:errorlint // as programs do
		},
		"its connection, for good": func(s *shop, ctx context.Context, tx pgx.Tx) error {
			s.cut(tx)
			_, err := tx.Exec(ctx, "select 1")
			return worker.Permanent(err)
		},
		"its connection, which it does not notice": func(s *shop, _ context.Context, tx pgx.Tx) error {
			s.cut(tx)
			return nil
		},
		"a serialization failure": func(_ *shop, ctx context.Context, tx pgx.Tx) error {
			_, err := tx.Exec(ctx, "do $$ begin raise exception using errcode = '40001'; end $$")
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t, map[string]string{"job": `[{"name": "work", "retry": {"max_attempts": 1}}]`})
			_, err := s.pool.Exec(t.Context(), effect)
			require.NoError(t, err)
			w := newWorker(t, s.pool, worker.Config{})
			var runs atomic.Int32
			worker.Handle(w, "work", func(ctx context.Context, job *worker.Job[none]) (int, error) {
				return worker.OnceTx(ctx, job, "book", func(ctx context.Context, tx pgx.Tx) (int, error) {
					if _, err := tx.Exec(ctx, "insert into public.effects values ($1)", job.TaskUUID); err != nil {
						return 0, err
					}
					if runs.Add(1) <= 2 {
						if err := again(s, ctx, tx); err != nil {
							return 0, err
						}
					}
					return 7, nil
				})
			})
			start(t, w)
			task := s.create("job", `{}`)
			s.wait(task, state.TaskComplete)
			require.JSONEq(t, `7`, string(s.step(task, "work").Results))
			require.Equal(t, int32(3), runs.Load())
			require.Equal(t, 1, s.effects())
			require.EqualValues(t, 1, s.step(task, "work").Attempts)
		})
	}
}

// deaf is a connection that loses the answer to a commit once.
type deaf struct {
	net.Conn
	lose *atomic.Bool
}

func (c deaf) Write(b []byte) (int, error) {
	n, err := c.Conn.Write(b)
	if err == nil && bytes.Contains(b, []byte("commit")) && c.lose.CompareAndSwap(true, false) {
		_, _ = c.Read(make([]byte, 1<<10)) // the commit has happened
		_ = c.Close()
	}
	return n, err
}

func TestOnceTx_LooksWhetherALostCommitHasHappened(t *testing.T) {
	t.Parallel()
	s := open(t, map[string]string{"job": `[{"name": "work", "retry": {"max_attempts": 1}}]`})
	_, err := s.pool.Exec(t.Context(), effect)
	require.NoError(t, err)
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
	worker.Handle(w, "work", func(ctx context.Context, job *worker.Job[none]) (int, error) {
		return worker.OnceTx(ctx, job, "book", func(ctx context.Context, tx pgx.Tx) (int, error) {
			lose.Store(runs.Add(1) == 1)
			_, err := tx.Exec(ctx, "insert into public.effects values ($1)", job.TaskUUID)
			return 7, err
		})
	})
	start(t, w)
	task := s.create("job", `{}`)
	s.wait(task, state.TaskComplete)
	require.False(t, lose.Load(), "the answer was lost")
	require.JSONEq(t, `7`, string(s.step(task, "work").Results))
	require.Equal(t, int32(1), runs.Load(), "what is kept is not done again")
	require.Equal(t, 1, s.effects())
}

func TestOnceTx_AConstraintThatFailsAtItsCommitIsTheCallsError(t *testing.T) {
	t.Parallel()
	s := open(t, map[string]string{"job": eager})
	_, err := s.pool.Exec(t.Context(),
		"create table public.part (no int primary key, of int references public.part deferrable initially deferred)")
	require.NoError(t, err)
	w := newWorker(t, s.pool, worker.Config{})
	worker.Handle(w, "work", func(ctx context.Context, job *worker.Job[none]) (string, error) {
		_, err := worker.OnceTx(ctx, job, "book", func(ctx context.Context, tx pgx.Tx) (int, error) {
			_, err := tx.Exec(ctx, "insert into public.part values (1, 2)")
			return 1, err
		}, worker.Tries(2, 0))
		if kept := new(worker.KeptError); errors.As(err, &kept) {
			return kept.Text, nil
		}
		return "", err
	})
	start(t, w)
	task := s.create("job", `{}`)
	s.wait(task, state.TaskComplete)
	require.Contains(t, string(s.step(task, "work").Results), "violates foreign key constraint")
}

func TestOnceTx_RefusesATransactionThatItsFunctionHasEnded(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		f    func(ctx context.Context, tx pgx.Tx) (int, error)
		says string
	}{
		"by Commit": {func(ctx context.Context, tx pgx.Tx) (int, error) {
			return 1, tx.Commit(ctx)
		}, `the function of OnceTx("book") ended its transaction`},
		"by Commit, which it does not check": {func(ctx context.Context, tx pgx.Tx) (int, error) {
			_ = tx.Commit(ctx)
			return 1, nil
		}, `the function of OnceTx("book") ended its transaction`},
		"by Rollback": {func(ctx context.Context, tx pgx.Tx) (int, error) {
			return 1, tx.Rollback(ctx)
		}, `the function of OnceTx("book") ended its transaction`},
		"by a statement": {func(ctx context.Context, tx pgx.Tx) (int, error) {
			_, err := tx.Exec(ctx, "rollback")
			return 1, err
		}, `the function of OnceTx("book") ended its transaction`},
		"by a statement, and fails": {func(ctx context.Context, tx pgx.Tx) (int, error) {
			_, _ = tx.Exec(ctx, "rollback")
			return 1, errors.New("another try?")
		}, `the function of OnceTx("book") ended its transaction`},
		"by an error that it swallows": {func(ctx context.Context, tx pgx.Tx) (int, error) {
			_, _ = tx.Exec(ctx, "select 1/0")
			return 1, nil
		}, `a statement of OnceTx("book") failed, and its function returned no error`},
		"by its isolation level": {func(ctx context.Context, tx pgx.Tx) (int, error) {
			_, err := tx.Exec(ctx, "set transaction isolation level serializable")
			return 1, err
		}, `the transaction of "book"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t, map[string]string{"job": eager})
			_, err := s.pool.Exec(t.Context(), effect)
			require.NoError(t, err)
			w := newWorker(t, s.pool, worker.Config{})
			worker.Handle(w, "work", func(ctx context.Context, job *worker.Job[none]) (string, error) {
				_, err := worker.OnceTx(ctx, job, "book", c.f)
				return "went on", err
			})
			start(t, w)
			task := s.create("job", `{}`)
			until(t, func() bool { return s.step(task, "work").State == state.StepError }, func() string { return "it does not fail" })
			step := s.step(task, "work")
			require.Contains(t, *step.LastError, c.says)
			require.EqualValues(t, 1, step.Attempts, "no attempt would change it")
			require.Zero(t, s.effects())
			require.Empty(t, s.kept(task))
		})
	}
}

func TestResult_OfAnotherTypeIsLeftForAnotherBuild(t *testing.T) {
	t.Parallel()
	s := open(t, map[string]string{"job": `[{"name": "make"},
		{"name": "work", "dependencies": ["make"], "retry": {"max_attempts": 1}}]`})
	var log journal
	first := newWorker(t, s.pool, worker.Config{Logger: log.logger()})
	worker.Handle(first, "make", func(context.Context, *worker.Job[none]) (int, error) { return 7, nil })
	var misfit atomic.Bool
	worker.Handle(first, "work", func(_ context.Context, job *worker.Job[none]) (string, error) {
		if misfit.CompareAndSwap(false, true) { // this build wants another type
			return worker.Result[string](job, "make")
		}
		n, err := worker.Result[int](job, "make")
		return fmt.Sprint(n), err
	})
	start(t, first)
	task := s.create("job", `{}`)
	until(t, func() bool { return s.step(task, "work").State == state.StepSuspended }, func() string {
		return fmt.Sprintf("it is %s", s.step(task, "work").State)
	})
	log.says(t, "does not fit string")
	explained, err := s.ExplainStep(t.Context(), s.step(task, "work").WorkflowStepUUID)
	require.NoError(t, err)
	require.Contains(t, fmt.Sprint(explained), `the result of "make" does not fit`)
	counts, err := s.GetSystemHealthCounts(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 1, counts.DivergedSteps)
	_, err = s.pool.Exec(t.Context(), "update tasker.timers set due_at = now() where kind = 'end_wait'")
	require.NoError(t, err)
	s.wait(task, state.TaskComplete)
	require.EqualValues(t, 1, s.step(task, "work").Attempts, "the run that did not fit does not count")
}

func TestRun_AFunctionEndsAtItsNextCallWhenItsWorkerStops(t *testing.T) {
	t.Parallel()
	for name, f := range map[string]func(ctx context.Context, job *worker.Job[none], began chan<- bool){
		"the next call": func(ctx context.Context, job *worker.Job[none], began chan<- bool) {
			for i := range 1000 {
				_, _ = worker.Once(ctx, job, "round", func(ctx context.Context, _ uuid.UUID) (int, error) {
					if i == 0 {
						began <- true
					}
					return i, nil
				})
			}
		},
		"ContinueAs": func(ctx context.Context, job *worker.Job[none], began chan<- bool) {
			select {
			case began <- true:
			default:
			}
			worker.ContinueAs(ctx, job, 1)
		},
		"the pause between tries": func(ctx context.Context, job *worker.Job[none], began chan<- bool) {
			_, _ = worker.Once(ctx, job, "round", func(context.Context, uuid.UUID) (int, error) {
				began <- true
				return 0, errors.New("not yet")
			}, worker.Tries(2, time.Hour))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t, map[string]string{"job": eager})
			w := newWorker(t, s.pool, worker.Config{StopTimeout: time.Hour})
			began := make(chan bool, 1)
			worker.Handle(w, "work", func(ctx context.Context, job *worker.Job[none]) (none, error) {
				f(ctx, job, began)
				return none{}, nil
			})
			r := start(t, w)
			task := s.create("job", `{}`)
			receive(t, began)
			r.stop()
			require.NoError(t, r.ended(), "it does not wait for its StopTimeout")
			step := s.step(task, "work")
			require.Equal(t, state.StepEnqueued, step.State)
			require.Zero(t, step.Attempts, "the attempt does not count")
			require.Zero(t, step.LostCount)
			s.sound(task)
		})
	}
}

func TestOnce_BeginsNothingWhenItsRunIsOver(t *testing.T) {
	t.Parallel()
	s := open(t, map[string]string{"job": eager})
	w := newWorker(t, s.pool, worker.Config{Lease: briefly})
	began, ended := make(chan bool, 1), make(chan error, 1)
	var c tally
	worker.Handle(w, "work", func(ctx context.Context, job *worker.Job[none]) (none, error) {
		defer func() { ended <- context.Cause(ctx) }()
		if _, err := worker.Once(ctx, job, "first", does(&c, "first", 1)); err != nil {
			return none{}, err
		}
		began <- true
		<-ctx.Done()
		_, err := worker.Once(ctx, job, "second", does(&c, "second", 1))
		return none{}, err
	})
	start(t, w)
	task := s.create("job", `{}`)
	receive(t, began)
	_, err := s.CancelTask(t.Context(), task, "", "")
	require.NoError(t, err)
	require.ErrorIs(t, receive(t, ended), worker.ErrCancelled)
	require.Equal(t, []string{"first"}, c.all())
}
