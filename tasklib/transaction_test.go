package tasklib_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/tasklib"
)

const ledger = `create table public.writes (a int not null);
	create table public.part (no int primary key, of int references public.part deferrable initially deferred)`

func write(ctx context.Context, tx pgx.Tx, args numbers) error {
	_, err := tx.Exec(ctx, "insert into public.writes values ($1)", args.A)
	return err
}

func TestRegisterTx_CommitsWritesAndResultTogetherBesidePlainFunctions(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	exec(t, pool, ledger)
	client := newClient(t, pool, tasklib.Config{})
	task := tasklib.MustRegisterTx(client, "book", func(ctx context.Context, tx pgx.Tx, args numbers) (int, error) {
		return 10 * args.A, write(ctx, tx, args)
	}, tasklib.Options{})
	plain := tasklib.MustRegister(client, "tell", func(context.Context, numbers) (string, error) { return "told", nil }, tasklib.Options{})
	require.NoError(t, client.Sync(t.Context()))
	args := make([]numbers, 50)
	for i := range args {
		args[i].A = i
	}
	submitted, err := task.SubmitMany(t.Context(), pool, args)
	require.NoError(t, err)
	told, err := plain.Submit(t.Context(), pool, numbers{})
	require.NoError(t, err)
	start(t, client, tasklib.WorkerConfig{Concurrency: 10})
	awaitState(t, client, told.ID, tasklib.StateCompleted)
	for i, s := range submitted {
		awaitState(t, client, s.ID, tasklib.StateCompleted)
		_, result, err := task.Get(t.Context(), pool, s.ID)
		require.NoError(t, err)
		require.Equal(t, 10*i, result)
	}
	require.Equal(t, 50, query[int](t, pool, "select count(distinct a) from public.writes"))
	require.Equal(t, 50, query[int](t, pool, "select count(*) from public.writes"))
}

func TestRegisterTx_AFailureRollsBackAndIsRecordedAsThatOfAnyFunction(t *testing.T) {
	t.Parallel()
	type function = func(ctx context.Context, tx pgx.Tx) (any, error)
	for name, c := range map[string]struct {
		f       function
		says    string
		retries int
	}{
		"an error":          {func(context.Context, pgx.Tx) (any, error) { return nil, errors.New("no stock") }, "no stock", 1},
		"a permanent error": {func(context.Context, pgx.Tx) (any, error) { return nil, tasklib.Permanent(errors.New("never")) }, "never", 0},
		"a panic":           {func(context.Context, pgx.Tx) (any, error) { panic("broken") }, "panic: broken", 1},
		"the end of its goroutine": {func(context.Context, pgx.Tx) (any, error) {
			runtime.Goexit()
			return nil, nil
		}, "the function ended its goroutine", 1},
		"a time-out": {func(ctx context.Context, tx pgx.Tx) (any, error) {
			_, err := tx.Exec(ctx, "select pg_sleep(8)")
			return nil, err
		}, "the run took too long", 1},
		"a statement that is swallowed": {func(ctx context.Context, tx pgx.Tx) (any, error) {
			_, _ = tx.Exec(ctx, "select 1/0")
			return 1, nil
		}, `a statement of task "book" failed, and its function returned no error`, 0},
		"a constraint that is checked at the commit": {func(ctx context.Context, tx pgx.Tx) (any, error) {
			_, err := tx.Exec(ctx, "insert into public.part values (1, 2)")
			return 1, err
		}, "violates foreign key constraint", 1},
		"an end of its transaction": {func(ctx context.Context, tx pgx.Tx) (any, error) {
			return nil, tx.Commit(ctx)
		}, `the function of task "book" ended its transaction`, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pool := pgtest.New(t)
			exec(t, pool, ledger)
			client := newClient(t, pool, tasklib.Config{})
			task := tasklib.MustRegisterTx(client, "book", func(ctx context.Context, tx pgx.Tx, args numbers) (any, error) {
				if err := write(ctx, tx, args); err != nil {
					return nil, err
				}
				return c.f(ctx, tx)
			}, tasklib.Options{MaxRetries: 1, BaseRetryDelay: time.Millisecond, Timeout: time.Second})
			require.NoError(t, client.Sync(t.Context()))
			s, err := task.Submit(t.Context(), pool, numbers{A: 1})
			require.NoError(t, err)
			start(t, client, tasklib.WorkerConfig{})
			d := awaitState(t, client, s.ID, tasklib.StateFailed)
			require.Contains(t, *d.Error, c.says)
			require.EqualValues(t, c.retries, d.RetryCount)
			require.Zero(t, query[int](t, pool, "select count(*) from public.writes"))
		})
	}
}

func TestRegisterTx_RollsBackIfTheTaskWasCancelled(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	exec(t, pool, ledger)
	log := &syncBuffer{}
	client := tasklib.NewClient(pool, tasklib.Config{Logger: slog.New(slog.NewTextHandler(log, nil))})
	wrote, goOn := make(chan bool), make(chan bool)
	task := tasklib.MustRegisterTx(client, "book", func(ctx context.Context, tx pgx.Tx, args numbers) (int, error) {
		err := write(ctx, tx, args)
		wrote <- true
		<-goOn
		return 1, err
	}, tasklib.Options{})
	require.NoError(t, client.Sync(t.Context()))
	s, err := task.Submit(t.Context(), pool, numbers{A: 1})
	require.NoError(t, err)
	start(t, client, tasklib.WorkerConfig{PollOnly: true})
	<-wrote
	_, err = client.Functions().CancelTask(t.Context(), s.ID, nil)
	require.NoError(t, err)
	goOn <- true
	await(t, "the log says so", func() bool {
		return bytes.Contains([]byte(log.String()), []byte("what its function wrote is rolled back"))
	})
	require.Zero(t, query[int](t, pool, "select count(*) from public.writes"))
	require.Equal(t, tasklib.StateCancelled, awaitState(t, client, s.ID, tasklib.StateCancelled).State)
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

func TestRegisterTx_RunsAgainIfItsTransactionIsLostAndNotIfItsCommitHasHappened(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		conflict bool
		runs     int32
	}{"a conflict": {true, 3}, "the answer to the commit": {false, 1}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			config := pgtest.New(t).Config()
			var lose atomic.Bool
			dial := config.ConnConfig.DialFunc
			config.ConnConfig.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
				conn, err := dial(ctx, network, address)
				return deaf{conn, &lose}, err
			}
			pool, err := pgxpool.NewWithConfig(t.Context(), config)
			require.NoError(t, err)
			t.Cleanup(pool.Close)
			exec(t, pool, ledger)
			client := newClient(t, pool, tasklib.Config{})
			var runs atomic.Int32
			task := tasklib.MustRegisterTx(client, "book", func(ctx context.Context, tx pgx.Tx, args numbers) (int, error) {
				n := runs.Add(1)
				err := write(ctx, tx, args)
				switch {
				case err == nil && c.conflict && n < 3:
					_, err = tx.Exec(ctx, "do $$ begin raise exception using errcode = '40P01'; end $$")
				case !c.conflict && n == 1:
					lose.Store(true)
				}
				return int(n), err
			}, tasklib.Options{MaxRetries: tasklib.NoRetries})
			require.NoError(t, client.Sync(t.Context()))
			s, err := task.Submit(t.Context(), pool, numbers{A: 1})
			require.NoError(t, err)
			_, stop := start(t, client, tasklib.WorkerConfig{})
			awaitState(t, client, s.ID, tasklib.StateCompleted)
			stop()
			require.False(t, lose.Load())
			require.Equal(t, c.runs, runs.Load())
			require.Equal(t, 1, query[int](t, pool, "select count(*) from public.writes"))
		})
	}
}

func TestRegisterTx_LeavesConnectionsToTheWorker(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t, pgtest.MaxConns(4))
	exec(t, pool, ledger)
	client := newClient(t, pool, tasklib.Config{})
	var running, most atomic.Int32
	task := tasklib.MustRegisterTx(client, "book", func(ctx context.Context, tx pgx.Tx, args numbers) (string, error) {
		now := running.Add(1)
		defer running.Add(-1)
		for was := most.Load(); now > was && !most.CompareAndSwap(was, now); was = most.Load() {
		}
		_, err := pool.Exec(ctx, "select 1") // a second connection
		return fmt.Sprint(now), errors.Join(err, write(ctx, tx, args))
	}, tasklib.Options{})
	require.NoError(t, client.Sync(t.Context()))
	submitted, err := task.SubmitMany(t.Context(), pool, make([]numbers, 20))
	require.NoError(t, err)
	start(t, client, tasklib.WorkerConfig{Concurrency: 10})
	for _, s := range submitted {
		awaitState(t, client, s.ID, tasklib.StateCompleted)
	}
	require.EqualValues(t, 1, most.Load(), "three of four connections stay for the worker")

	small := newClient(t, pgtest.New(t, pgtest.MaxConns(1)), tasklib.Config{})
	tasklib.MustRegisterTx(small, "book", func(context.Context, pgx.Tx, numbers) (int, error) { return 1, nil }, tasklib.Options{})
	require.ErrorContains(t, small.NewWorker(tasklib.WorkerConfig{}).Run(t.Context()), `task "book" has a transaction, which takes a connection`)
}
