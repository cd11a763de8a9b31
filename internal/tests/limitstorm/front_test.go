package limitstorm

import (
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/internal/tests/replaytest"
)

// front is a database with limited steps and steps without a limit.
type front struct {
	*testing.T
	pool *pgxpool.Pool
	e    *direct.Executor
	held []direct.StepResult
}

// newFront creates steps without a limit, and a key of a limit whose single place is taken while one step waits for it.
func newFront(t *testing.T, free int) *front {
	t.Helper()
	f := &front{T: t, pool: pgtest.New(t)}
	f.e = direct.New(f.pool)
	limited(t, f.pool, sqlfn.SetLimitParams{Concurrency: new(int32(1))})
	_, err := f.e.RegisterTaskTemplate(t.Context(), []byte(`{"namespace": "storm", "name": "free", "identity_strategy": "always_unique", "steps": [{"name": "free"}]}`))
	require.NoError(t, err)
	_, err = f.pool.Exec(t.Context(), "select from tasker.create_tasks('storm', 'free', array_fill('{}'::jsonb, array[$1::integer]))", free)
	require.NoError(t, err)
	wait(t, f.pool, "busy", 2)
	require.Len(t, f.claim(100, "call"), 1)
	return f
}

func (f *front) claim(limit int, handlers ...string) []gen.ClaimedStep {
	f.Helper()
	claimed, err := f.e.ClaimSteps(f.Context(), direct.ClaimRequest{
		WorkerUUID: uuid.New(), Namespaces: []string{"storm"}, Handlers: handlers, Limit: limit, Lease: 24 * time.Hour,
	})
	require.NoError(f, err)
	return claimed
}

// block makes steps wait behind the running step, and claims until the notes of these steps have been folded. It creates only
// the first steps with their tasks. For the others it copies rows of the queue, because claims read only these rows of waiting
// steps.
func (f *front) block(many int) {
	f.Helper()
	wait(f.T, f.pool, "busy", min(many, 100_000))
	_, err := f.pool.Exec(f.Context(), `
		insert into tasker.step_queue (task_uuid, step_no, namespace, lane, named_step_uuid, visible_at, limit_no, limit_key, limit_lane)
		select tasker.uuid_generate_v7(), 1, q.namespace, q.lane, q.named_step_uuid, q.visible_at + i * interval '1 microsecond', q.limit_no, q.limit_key, q.limit_lane
		  from (select q.* from tasker.step_queue as q where q.lane = 'limited' order by q.visible_at desc limit 1) as q
		 cross join generate_series(1, $1) as i`, many-min(many, 100_000))
	require.NoError(f, err)
	_, err = f.pool.Exec(f.Context(), "vacuum analyze tasker.step_queue")
	require.NoError(f, err)
	for noted := true; noted; {
		require.Empty(f, f.claim(1, "call"))
		require.NoError(f, f.pool.QueryRow(f.Context(), "select exists (select from tasker.limit_notes)").Scan(&noted))
	}
}

// sleep creates tasks that wait for a time, so that the database is as large as with blocked steps.
func (f *front) sleep(many int) {
	f.Helper()
	for ; many > 0; many -= 10_000 {
		_, err := f.pool.Exec(f.Context(), `select from tasker.create_tasks('storm', 'free', array_fill('{}'::jsonb, array[$1::integer]),
			p_start_at => now() + interval '1 year')`, min(many, 10_000))
		require.NoError(f, err)
	}
	_, err := f.pool.Exec(f.Context(), "vacuum analyze tasker.step_queue")
	require.NoError(f, err)
}

// other completes a step without a limit and claims the next step. It returns how long the call took.
func (f *front) other() time.Duration {
	f.Helper()
	began := time.Now()
	reply, err := f.e.ExchangeSteps(f.Context(), direct.Exchange{Results: f.held, ClaimRequest: direct.ClaimRequest{
		WorkerUUID: uuid.New(), Namespaces: []string{"storm"}, Limit: 1, Lease: 24 * time.Hour,
	}})
	took := time.Since(began)
	require.NoError(f, err)
	require.Len(f, reply.Claimed, 1)
	require.Equal(f, "free", reply.Claimed[0].Handler)
	f.held = []direct.StepResult{{StepClaim: direct.StepClaim{StepUUID: reply.Claimed[0].StepUUID, ClaimNo: reply.Claimed[0].ClaimNo}}}
	return took
}

// While very many steps of one key wait, other steps run as fast as in a database with the same number of tasks that wait for a
// time. The test measures the two databases alternately. A key with one step is served within two claims. The short form does
// not check times, since its few times mostly show other work on the machine.
func TestKeys_AreNotDelayedByAKeyWithManySteps(t *testing.T) {
	many := pgtest.Number("PGTASKER_STORM_WAITING", 500)
	rounds := 1000
	if many == 500 {
		t.Parallel()
		rounds = 50
	}
	beside, behind := newFront(t, rounds+20), newFront(t, rounds+20)
	beside.sleep(min(many, 100_000))
	behind.block(many)
	for range 10 { // Both sessions make their plans.
		beside.other()
		behind.other()
	}
	var without, with []time.Duration
	for range rounds {
		without = append(without, beside.other())
		with = append(with, behind.other())
	}
	slices.Sort(without)
	slices.Sort(with)
	ratio := float64(with[rounds/2]) / float64(without[rounds/2])
	t.Logf("%d blocked steps: of %d exchanges of others the median took %s behind none and %s behind them, %.2f times as long",
		many, rounds, without[rounds/2], with[rounds/2], ratio)
	if rounds >= 1000 {
		require.Less(t, ratio, 1.1)
	}

	require.Positive(t, replaytest.Recorded(t, beside.pool))
	require.Positive(t, replaytest.Recorded(t, behind.pool))

	// If there are places for all keys, the busy key does not delay a small key.
	setLimit(t, behind.pool, sqlfn.SetLimitParams{Concurrency: new(int32(1_000_000))})
	require.Len(t, behind.claim(1, "call"), 1)
	wait(t, behind.pool, "small", 1)
	found := false
	for range 2 {
		for _, c := range behind.claim(1, "call") {
			task, err := behind.e.GetTask(t.Context(), c.TaskUUID)
			require.NoError(t, err)
			found = found || string(task.Context) == `{"key": "small"}`
		}
	}
	require.True(t, found, "a key with one step is served within two claims")
}
