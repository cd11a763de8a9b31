package crashtest

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/internal/tests/replaytest"
	"github.com/pgtasker/pgtasker/worker"
)

// rolePoisoned is a worker of this package. Its handler "poison" lets the test kill the process.
const rolePoisoned = "poisoned"

func poisoned(ctx context.Context) error {
	pool, err := pgxpool.New(ctx, os.Getenv(envURL))
	if err != nil {
		return err
	}
	w, err := worker.New(pool, worker.Config{Lease: time.Second, PollInterval: 100 * time.Millisecond})
	if err != nil {
		return err
	}
	type none struct{}
	worker.Handle(w, "good", func(ctx context.Context, _ *worker.Job[none]) (none, error) {
		pause(ctx, 500*time.Millisecond) // longer than the process lives beside the poison
		return none{}, ctx.Err()
	})
	worker.Handle(w, "poison", func(ctx context.Context, _ *worker.Job[none]) (none, error) {
		pause(ctx, 100*time.Millisecond)
		return none{}, syscall.Kill(os.Getpid(), syscall.SIGKILL) // as the kernel does when memory runs out
	})
	return w.Run(ctx)
}

func TestPoison_OnlyTheGuiltyStepFails(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	e := executor.New(pool)
	steps := `{"name": "poison"}`
	const innocents = 8
	for i := range innocents {
		steps += fmt.Sprintf(`, {"name": "good%d", "handler": "good"}`, i)
	}
	_, err := e.RegisterTaskTemplate(t.Context(), json.RawMessage(`{"namespace": "plain", "name": "crowd", "steps": [`+steps+`]}`))
	require.NoError(t, err)
	_, err = e.SetSetting(t.Context(), "max_lost", new("5"))
	require.NoError(t, err)
	_, err = e.CreateTask(t.Context(), executor.TaskRequest{Namespace: "plain", Name: "crowd"})
	require.NoError(t, err)

	self, err := os.Executable()
	require.NoError(t, err)
	ctx, stop := context.WithTimeout(t.Context(), endsWithin)
	defer stop()
	deaths := make(chan int)
	go func() { // as a supervisor restarts it
		n := 0
		for ctx.Err() == nil {
			cmd := exec.CommandContext(ctx, self)
			cmd.Env = append(os.Environ(), envRole+"="+rolePoisoned, envURL+"="+pool.Config().ConnString())
			stdin, err := cmd.StdinPipe()
			if err == nil {
				_ = cmd.Run()
				_ = stdin.Close()
			}
			if ctx.Err() == nil {
				n++
			}
		}
		deaths <- n
	}()
	var open, complete int
	var failed, last string
	require.Eventually(t, func() bool {
		err := pool.QueryRow(t.Context(), `
			select count(*) filter (where s.state not in ('complete', 'error')), count(*) filter (where s.state = 'complete'),
			       coalesce(string_agg(s.name, ' ') filter (where s.state = 'error'), ''), coalesce(max(s.last_error), '')
			  from tasker.workflow_steps as s`).Scan(&open, &complete, &failed, &last)
		return err == nil && open == 0
	}, endsWithin, 50*time.Millisecond, "the steps do not settle")
	stop()
	n := <-deaths
	require.Equal(t, innocents, complete)
	require.Equal(t, "poison", failed)
	require.Positive(t, replaytest.Recorded(t, pool))
	require.Equal(t, "its worker was lost 6 times", last, "the last time it was alone")
	require.Equal(t, 6, n, "the process dies as often as the guilty step may lose it")
}
