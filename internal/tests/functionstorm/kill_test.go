package functionstorm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/internal/tests/replaytest"
	"github.com/pgtasker/pgtasker/worker"
)

// pay is a function whose calls all reach the outside service before their results are kept.
func pay(ctx context.Context, job *worker.Job[order], service string) (string, error) {
	outside := func(path string) func(ctx context.Context, key uuid.UUID) (string, error) {
		return func(ctx context.Context, key uuid.UUID) (string, error) {
			return call(ctx, service+path+"?key="+key.String())
		}
	}
	_, err := worker.Once(ctx, job, "charge", outside("/charge"))
	var declined *worker.KeptError
	switch {
	case errors.As(err, &declined):
		if _, err := worker.Once(ctx, job, "refund", outside("/refund")); err != nil {
			return "", err
		}
		_, err := worker.Once(ctx, job, "tell", outside("/tell"))
		return "refunded: " + declined.Text, err
	case err != nil:
		return "", err
	}
	_, err = worker.OnceTx(ctx, job, "book", func(ctx context.Context, tx pgx.Tx) (string, error) {
		if _, err := tx.Exec(ctx, "insert into public.bookings values ($1)", job.TaskUUID); err != nil {
			return "", err
		}
		return call(ctx, service+"/book?key="+job.StepUUID.String())
	})
	if err != nil {
		return "", err
	}
	_, err = worker.Once(ctx, job, "tell", outside("/tell"))
	return "paid", err
}

// gate is an outside service. A first call has its effect and gets no answer, since its caller is killed meanwhile.
type gate struct {
	mu      sync.Mutex
	effects map[string][]string // the keys of each call
	holds   map[string]bool     // paths whose next call gets no answer
	decline bool                // whether charges are declined
	reached chan string
}

func (g *gate) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	g.mu.Lock()
	path := r.URL.Path
	g.effects[path] = append(g.effects[path], r.URL.Query().Get("key"))
	hold, declined := g.holds[path], g.decline && path == "/charge"
	g.holds[path] = false
	g.mu.Unlock()
	if hold {
		g.reached <- path
		<-r.Context().Done()
		return
	}
	if declined {
		w.WriteHeader(http.StatusPaymentRequired)
		_, _ = fmt.Fprint(w, "declined")
	}
}

// accept stops declining charges.
func (g *gate) accept() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.decline = false
}

func (g *gate) keys(path string) []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.effects[path]
}

type killing struct {
	*testing.T
	pool    *pgxpool.Pool
	gate    *gate
	workers workers
	step    uuid.UUID
}

// newKilling starts a worker process and a task whose function pays.
func newKilling(t *testing.T, decline bool, holds ...string) *killing {
	t.Helper()
	k := &killing{T: t, pool: pgtest.New(t, pgtest.MaxConns(4)), gate: &gate{
		effects: map[string][]string{}, holds: map[string]bool{}, decline: decline, reached: make(chan string, 1),
	}}
	for _, path := range holds {
		k.gate.holds[path] = true
	}
	bank := httptest.NewServer(k.gate)
	t.Cleanup(bank.Close)
	_, err := k.pool.Exec(t.Context(), "create table public.bookings (task uuid not null)")
	require.NoError(t, err)
	e := direct.New(k.pool)
	_, err = e.RegisterTaskTemplate(t.Context(), json.RawMessage(`{"namespace": "storm", "name": "payment",
		"identity_strategy": "always_unique", "steps": [{"name": "pay"}]}`))
	require.NoError(t, err)
	task, err := e.CreateTask(t.Context(), executor.TaskRequest{Namespace: "storm", Name: "payment", Context: []byte(`{"N": 1}`)})
	require.NoError(t, err)
	steps, err := e.ListSteps(t.Context(), task.TaskUUID)
	require.NoError(t, err)
	k.step = steps[0].WorkflowStepUUID
	k.workers = workers{t: t, url: pgtest.URL(k.pool), bank: bank.URL}
	k.workers.start()
	t.Cleanup(k.workers.stop)
	return k
}

// killAt kills the worker when the service has been called and has not answered, and lets another worker continue. It releases
// the step of the dead worker, so that the test need not wait for the end of its lease.
func (k *killing) killAt(path string, meanwhile ...func()) {
	k.Helper()
	select {
	case reached := <-k.gate.reached:
		require.Equal(k, path, reached)
	case <-time.After(time.Minute):
		require.Fail(k, "no call of "+path)
	}
	k.workers.end(k.workers.running[0])
	k.workers.running = nil
	for _, do := range meanwhile {
		do()
	}
	var claim int32
	require.NoError(k, k.pool.QueryRow(k.Context(), "select claim_no from tasker.workflow_steps where workflow_step_uuid = $1", k.step).Scan(&claim))
	// The session of the dead worker may hold the step for a moment, in the transaction of OnceTx.
	require.Eventually(k, func() bool {
		answers, err := direct.New(k.pool).ReleaseSteps(k.Context(), []direct.StepClaim{{StepUUID: k.step, ClaimNo: claim}})
		return err == nil && answers[0].Answer == "released"
	}, time.Minute, 10*time.Millisecond)
	k.workers.start()
}

func (k *killing) bookings() (n int) {
	k.Helper()
	require.NoError(k, k.pool.QueryRow(k.Context(), "select count(*) from public.bookings").Scan(&n))
	return n
}

// ended waits for the end of the step, and returns its result.
func (k *killing) ended() (result string) {
	k.Helper()
	require.Eventually(k, func() bool {
		var ended bool
		err := k.pool.QueryRow(k.Context(), "select state = 'complete', coalesce(results #>> '{}', '') from tasker.workflow_steps where workflow_step_uuid = $1", k.step).
			Scan(&ended, &result)
		return err == nil && ended
	}, time.Minute, 10*time.Millisecond)
	return result
}

// Case A2.1: a worker is killed between the effect of a call and the record of its result.
func TestKill_BetweenTheEffectOfACallAndItsRecord(t *testing.T) {
	t.Parallel()
	k := newKilling(t, false, "/charge", "/book", "/tell")
	k.killAt("/charge")
	k.killAt("/book")
	require.Zero(t, k.bookings(), "without its record the effect of OnceTx is rolled back")
	k.killAt("/tell")
	require.Equal(t, 1, k.bookings())
	require.Equal(t, "paid", k.ended())
	charges := k.gate.keys("/charge")
	require.Len(t, charges, 2, "the call is made again")
	require.Equal(t, charges[0], charges[1], "both calls have the same key")
	require.Len(t, k.gate.keys("/book"), 2)
	require.Len(t, k.gate.keys("/tell"), 2)
	require.Equal(t, 1, k.bookings(), "the effect in the database happens once")
	require.Equal(t, 1, replaytest.Recorded(t, k.pool))
}

// Case A2.2: a run is killed after the refund was recorded, and the bank accepts the charge when the function
// continues.
func TestKill_AfterTheRefundOfADeclinedCharge(t *testing.T) {
	t.Parallel()
	k := newKilling(t, true, "/tell")
	k.killAt("/tell", k.gate.accept)
	require.Equal(t, "refunded: declined", k.ended(), "the run sees the kept error")
	require.Len(t, k.gate.keys("/charge"), 1, "the charge is not called again")
	require.Len(t, k.gate.keys("/refund"), 1)
	require.Zero(t, k.bookings())
	require.Equal(t, 1, replaytest.Recorded(t, k.pool))
}
