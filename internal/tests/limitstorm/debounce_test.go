package limitstorm

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/internal/tests/enginetest"
	"github.com/pgtasker/pgtasker/internal/tests/replaytest"
)

const (
	debounce = 2 * time.Second
	longest  = 10 * time.Second
)

// Requests of a few keys replace each other while workers start due requests. The last request of each key runs, a later
// request has replaced every other request, no request runs twice, and no request waits longer than the longest wait.
func TestDebounce_RunsTheLastRequestOfEachKey(t *testing.T) {
	t.Parallel()
	length := time.Duration(pgtest.Number("PGTASKER_STORM_DEBOUNCE_SECONDS", 1)) * time.Second
	pool := pgtest.New(t, pgtest.MaxConns(16))
	e := direct.New(pool)
	_, err := e.RegisterTaskTemplate(t.Context(), []byte(`{"namespace": "storm", "name": "index", "identity_strategy": "caller_provided", "steps": [{"name": "index"}]}`))
	require.NoError(t, err)
	require.NoError(t, enginetest.Accelerate(t.Context(), pool, 40))
	_, err = pool.Exec(t.Context(), "create table public.requests (no bigserial, key text, task_uuid uuid, first_at timestamptz, due_at timestamptz, at timestamptz)")
	require.NoError(t, err)

	working, stop := context.WithCancel(t.Context())
	defer stop()
	var workers, senders sync.WaitGroup
	var ran atomic.Int64
	for range 4 {
		workers.Go(func() {
			exchange := direct.Exchange{ClaimRequest: direct.ClaimRequest{WorkerUUID: uuid.New(), Namespaces: []string{"storm"}, Limit: 4, Lease: time.Hour}}
			for working.Err() == nil {
				reply, err := direct.New(pool).ExchangeSteps(working, exchange)
				if exchange.Results = nil; err != nil {
					continue
				}
				for _, c := range reply.Claimed {
					ran.Add(1)
					exchange.Results = append(exchange.Results, direct.StepResult{StepClaim: direct.StepClaim{StepUUID: c.StepUUID, ClaimNo: c.ClaimNo}})
				}
			}
		})
	}
	until := time.Now().Add(length)
	for range 8 {
		senders.Go(func() {
			for time.Now().Before(until) {
				key := fmt.Sprint(rand.IntN(3))
				err := pgx.BeginFunc(t.Context(), pool, func(tx pgx.Tx) error {
					made, err := direct.New(tx).CreateTask(t.Context(), executor.TaskRequest{
						Namespace: "storm", Name: "index", IdentityKey: key, Context: json.RawMessage(`{}`),
						TaskPolicy: executor.TaskPolicy{Debounce: debounce, DebounceLongest: longest},
					})
					if err != nil {
						return err
					}
					// The key's row is locked until the commit, so the numbers are in the order of the commits.
					_, err = tx.Exec(t.Context(), `insert into public.requests (key, task_uuid, first_at, due_at, at)
						select $1, $2, d.first_at, (select m.due_at from tasker.timers as m where m.task_uuid = $2), tasker.clock()
						  from tasker.task_debounces as d where d.task_uuid = $2`, key, made.TaskUUID)
					return err
				})
				if err != nil {
					t.Error(err)
					return
				}
				time.Sleep(time.Duration(rand.IntN(60)) * time.Millisecond)
			}
		})
	}
	senders.Wait()
	require.Eventually(t, func() bool {
		var open int
		err := pool.QueryRow(t.Context(), "select count(*) from tasker.tasks as t where not t.complete").Scan(&open)
		return err == nil && open == 0
	}, time.Minute, 5*time.Millisecond, "every task ends")
	stop()
	workers.Wait()

	var requests, complete, strange, replaced, late, lastLost int
	require.NoError(t, pool.QueryRow(t.Context(), `
		with r as (
		  select r.*, t.state, lead(r.no) over w as next_no, lead(r.first_at) over w as next_first
		    from public.requests as r
		    join tasker.tasks as t on t.task_uuid = r.task_uuid
		  window w as (partition by r.key order by r.no)
		)
		select count(*), count(*) filter (where r.state = 'complete'), count(*) filter (where r.state not in ('complete', 'cancelled')),
		       -- Replaced by the next one, which counts its wait from the same request.
		       count(*) filter (where r.state = 'cancelled' and r.next_first is distinct from r.first_at),
		       -- Null started at once.
		       count(*) filter (where r.due_at > r.first_at + $1 or r.due_at > r.at + $2 + interval '1 second'),
		       count(*) filter (where r.next_no is null and r.state <> 'complete')
		  from r`, longest, debounce).Scan(&requests, &complete, &strange, &replaced, &late, &lastLost))
	t.Logf("%d requests, %d tasks ran", requests, complete)
	require.Zero(t, strange)
	require.Zero(t, replaced, "a request was cancelled, and no later one took its place")
	require.Zero(t, late, "no task starts after the longest wait")
	require.Zero(t, lastLost, "the last request of a key runs")
	require.Equal(t, int64(complete), ran.Load(), "each task runs once")
	require.Greater(t, requests, complete)
	require.Positive(t, replaytest.Recorded(t, pool))
}
