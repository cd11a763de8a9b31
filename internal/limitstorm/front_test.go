package limitstorm

import (
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgtest"
)

// A key with very many waiting steps: claims of others cost what they did without it, and a key with one step has its turn
// in the next claims.
func TestKeys_WaitForNoKeyWithManySteps(t *testing.T) {
	many := number("PGTASKER_STORM_WAITING", 500)
	if many == 500 {
		t.Parallel()
	}
	pool := pgtest.New(t)
	limited(t, pool, executor.SetLimitParams{Concurrency: new(int32(1))})
	e := executor.New(pool)
	_, err := e.RegisterTaskTemplate(t.Context(), []byte(`{"namespace": "storm", "name": "free", "identity_strategy": "always_unique", "steps": [{"name": "free"}]}`))
	require.NoError(t, err)
	_, err = pool.Exec(t.Context(), "select from tasker.create_tasks('storm', 'free', array_fill('{}'::jsonb, array[1000]))")
	require.NoError(t, err)
	claim := func(limit int, handlers ...string) []executor.ClaimedStep {
		t.Helper()
		claimed, err := e.ClaimSteps(t.Context(), executor.ClaimRequest{
			WorkerUUID: uuid.New(), Namespaces: []string{"storm"}, Handlers: handlers, Limit: limit, Lease: 24 * time.Hour,
		})
		require.NoError(t, err)
		return claimed
	}
	// others is how long a claim of all handlers takes that gets one of the steps without a limit.
	others := func() time.Duration {
		t.Helper()
		var took []time.Duration
		for range 50 {
			began := time.Now()
			require.Len(t, claim(1), 1)
			took = append(took, time.Since(began))
		}
		slices.Sort(took)
		return took[len(took)/2]
	}
	wait(t, pool, "busy", 2)
	claim(100, "call")
	before := others()
	wait(t, pool, "busy", many)
	_, err = pool.Exec(t.Context(), "analyze tasker.step_queue")
	require.NoError(t, err)
	claim(1)
	after := others()
	t.Logf("%d blocked steps: the median claim of others took %s before them and %s behind them", many, before, after)
	require.Less(t, after, 3*before+5*time.Millisecond)

	// With room for all, the busy key does not keep a small one waiting.
	setLimit(t, pool, executor.SetLimitParams{Concurrency: new(int32(1_000_000))})
	require.Len(t, claim(1, "call"), 1)
	wait(t, pool, "small", 1)
	found := false
	for range 2 {
		for _, c := range claim(1, "call") {
			task, err := e.GetTask(t.Context(), c.TaskUUID)
			require.NoError(t, err)
			found = found || string(task.Context) == `{"key": "small"}`
		}
	}
	require.True(t, found, "a key with one step is served within two claims")
}
