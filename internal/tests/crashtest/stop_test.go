package crashtest

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/worker"
)

// roleStopping is a worker like the worker of docs/howto/deploys.md, with a function that loops and a handler that does not end. It
// prints "runs" when the function or the handler begins.
const roleStopping = "stopping"

func stopping() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	pool, err := pgxpool.New(ctx, os.Getenv(envURL))
	if err != nil {
		return err
	}
	w, err := worker.New(pool, worker.Config{StopTimeout: time.Hour})
	if err != nil {
		return err
	}
	type none struct{}
	worker.Handle(w, "loop", func(ctx context.Context, job *worker.Job[none]) (none, error) {
		_, err := worker.Once(ctx, job, "poll", func(context.Context, uuid.UUID) (int, error) {
			fmt.Println("runs")
			return 1, nil
		})
		if err != nil {
			return none{}, err
		}
		worker.ContinueAs(ctx, job, 1)
		return none{}, nil
	})
	worker.Handle(w, "deaf", func(context.Context, *worker.Job[none]) (none, error) {
		fmt.Println("runs")
		select {}
	})
	return w.Run(ctx)
}

func TestStop_UsesSafePointsAndASecondSignalEndsAtOnce(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		handler string
		signals int
		code    int
	}{{"loop", 1, 0}, {"deaf", 2, -1}} {
		t.Run(c.handler, func(t *testing.T) {
			t.Parallel()
			pool := pgtest.New(t)
			e := executor.New(pool)
			_, err := e.RegisterTaskTemplate(t.Context(), json.RawMessage(
				`{"namespace": "plain", "name": "stops", "steps": [{"name": "work", "handler": "`+c.handler+`"}]}`))
			require.NoError(t, err)
			_, err = e.CreateTask(t.Context(), executor.TaskRequest{Namespace: "plain", Name: "stops"})
			require.NoError(t, err)
			self, err := os.Executable()
			require.NoError(t, err)
			ctx, end := context.WithTimeout(t.Context(), endsWithin)
			defer end()
			cmd := exec.CommandContext(ctx, self)
			cmd.Env = append(os.Environ(), envRole+"="+roleStopping, envURL+"="+pool.Config().ConnString())
			cmd.Stderr = os.Stderr
			stdin, err := cmd.StdinPipe()
			require.NoError(t, err)
			defer func() { _ = stdin.Close() }()
			out, err := cmd.StdoutPipe()
			require.NoError(t, err)
			require.NoError(t, cmd.Start())
			require.True(t, bufio.NewScanner(out).Scan(), "it runs")
			began := time.Now()
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				_ = cmd.Wait()
			}()
			for n := 0; ; n++ {
				if n < c.signals || c.signals > 1 { // the second signal counts only after the first was noticed
					_ = cmd.Process.Signal(syscall.SIGTERM)
				}
				select {
				case <-ended:
				case <-time.After(100 * time.Millisecond):
					require.Less(t, time.Since(began), time.Minute, "it does not end")
					continue
				}
				break
			}
			require.Equal(t, c.code, cmd.ProcessState.ExitCode())
			var state string
			var attempts int
			require.NoError(t, pool.QueryRow(t.Context(), "select s.state::text, s.attempts from tasker.workflow_steps as s").Scan(&state, &attempts))
			if c.signals == 1 {
				require.Equal(t, "enqueued", state, "the step is handed back")
				require.Zero(t, attempts)
			}
		})
	}
}
