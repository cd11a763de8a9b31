package worker_test

import (
	"context"
	"errors"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/tests/enginetest"
	"github.com/pgtasker/pgtasker/worker"
)

// wire connects a pool to the server. When it is cut, calls fail as if the process or its network had died.
type wire struct {
	mu    sync.Mutex
	cut   bool
	conns []net.Conn
}

func (w *wire) dial(ctx context.Context, network, address string) (net.Conn, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.cut {
		return nil, errors.New("the wire is cut")
	}
	conn, err := new(net.Dialer).DialContext(ctx, network, address)
	if err == nil {
		w.conns = append(w.conns, conn)
	}
	return conn, err
}

func (w *wire) set(cut bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.cut = cut
	for _, conn := range w.conns {
		_ = conn.Close()
	}
	w.conns = nil
}

// crew has handlers that return at once a given number of times, and then block.
type crew struct {
	mu    sync.Mutex
	fast  int
	stuck map[uuid.UUID]bool
	again chan struct{} // closed when they may continue
}

func (c *crew) work(_ context.Context, job *worker.Job[none]) (none, error) {
	c.mu.Lock()
	for c.fast == 0 {
		c.stuck[job.StepUUID] = true
		again := c.again
		c.mu.Unlock()
		<-again
		c.mu.Lock()
		delete(c.stuck, job.StepUUID)
	}
	c.fast--
	c.mu.Unlock()
	return none{}, nil
}

func (c *crew) allow(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.fast = n
	close(c.again)
	c.again = make(chan struct{})
}

func (c *crew) begun() map[uuid.UUID]bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	begun := map[uuid.UUID]bool{}
	for step := range c.stuck {
		begun[step] = true
	}
	return begun
}

func TestRun_AWorkerThatDiesIsALossOnlyForTheStepsThatItHadBegun(t *testing.T) {
	t.Parallel()
	const handlers, atOnce, rounds = 2, 100, 10
	s := open(t, map[string]string{"job": single})
	s.createMany("job", (rounds+1)*atOnce)
	_, err := enginetest.Prepare(t.Context(), s.pool)
	require.NoError(t, err)

	var line wire
	config := s.pool.Config().Copy()
	config.ConnConfig.DialFunc = line.dial
	pool, err := pgxpool.NewWithConfig(t.Context(), config)
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	w := newWorker(t, pool, worker.Config{Concurrency: handlers, Exchanges: 1, Namespaces: []string{"shop"}, NoMaintenance: true})
	c := &crew{fast: atOnce, stuck: map[uuid.UUID]bool{}, again: make(chan struct{})}
	worker.Handle(w, "work", c.work)
	start(t, w)
	t.Cleanup(func() { line.set(false); c.allow((rounds + 1) * atOnce) })

	// Wait until steps have been claimed ahead of blocked handlers.
	var done, held int
	for round := 1; held <= handlers; round++ {
		require.LessOrEqual(t, round, rounds, "nothing was claimed ahead")
		if round > 1 {
			c.allow(atOnce)
		}
		until(t, func() bool {
			require.NoError(t, s.pool.QueryRow(t.Context(), `
				select count(*) filter (where s.state = 'complete'), count(*) filter (where s.state = 'in_progress')
				  from tasker.workflow_steps as s`).Scan(&done, &held))
			return done == round*atOnce && len(c.begun()) == handlers
		}, func() string { return "not all results are recorded" })
	}
	line.set(true)
	_, err = enginetest.Pass(t.Context(), s.pool, 2*time.Minute)
	require.NoError(t, err)

	claimed, err := s.ClaimSteps(t.Context(), direct.ClaimRequest{WorkerUUID: uuid.New(), Limit: 1000, Namespaces: []string{"shop"}})
	require.NoError(t, err)
	require.Len(t, claimed, (rounds+1)*atOnce-done)
	lost := map[uuid.UUID]bool{}
	for _, step := range claimed {
		require.EqualValues(t, 1, step.Attempt)
		if step.LostCount > 0 {
			lost[step.StepUUID] = true
		}
	}
	require.Equal(t, c.begun(), lost, "of %d steps that it held", held)
}
