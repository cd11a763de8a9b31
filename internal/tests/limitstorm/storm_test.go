package limitstorm

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/internal/pgtest/pgserver"
	"github.com/pgtasker/pgtasker/internal/tests/replaytest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

const order = `{"namespace": "storm", "name": "order", "identity_strategy": "always_unique", "steps": [
	{"name": "reserve", "limit": "one", "limit_key": "$.key", "retry": {"max_attempts": 1000, "base_seconds": 0.01, "backoff": "constant"}},
	{"name": "label", "limit": "one", "limit_key": "$.key", "retry": {"max_attempts": 1000, "base_seconds": 0.01, "backoff": "constant"}},
	{"name": "charge", "limit": "some", "dependencies": ["reserve"], "retry": {"max_attempts": 1000, "base_seconds": 0.01, "backoff": "constant"}},
	{"name": "send", "limit": "rated", "dependencies": ["charge"], "retry": {"max_attempts": 1000, "base_seconds": 0.01, "backoff": "constant"}}]}`

var handlers = []string{"reserve", "label", "charge", "send"}

// storm has the data of a run. PGTASKER_STORM_TASKS and PGTASKER_STORM_CRASHES make the run longer.
type storm struct {
	pool    *pgxpool.Pool
	lost    atomic.Int64
	slowest atomic.Int64 // the longest exchange, in microseconds
}

// newPool returns the pool of a storm. A storm with crashes has its own server, which takes long to start.
func newPool(t *testing.T, workers, crashes int) (*pgxpool.Pool, *pgserver.Server) {
	t.Helper()
	if crashes > 0 {
		return pgtest.NewPrivate(t, pgtest.MaxConns(int32(workers+8)))
	}
	return pgtest.New(t, pgtest.MaxConns(int32(workers+8))), nil
}

// Two handlers share a limit of one for each of a hundred keys.
func TestStorm_NoLimitIsExceededAndNoPlaceIsLost(t *testing.T) {
	tasks, crashes := pgtest.Number("PGTASKER_STORM_TASKS", 60), pgtest.Number("PGTASKER_STORM_CRASHES", 0)
	if tasks == 60 {
		t.Parallel()
	}
	workers := pgtest.Number("PGTASKER_STORM_CLAIMERS", 16)
	pool, server := newPool(t, workers, crashes)
	s := &storm{pool: pool}
	_, err := direct.New(pool).RegisterTaskTemplate(t.Context(), json.RawMessage(order))
	require.NoError(t, err)
	_, err = pool.Exec(t.Context(), `
		-- On a busy machine leases end before their results come.
		select tasker.set_setting('max_lost', '1000');
		select tasker.set_limit('storm', 'one', 1);
		select tasker.set_limit('storm', 'some', 5);
		select tasker.set_limit('storm', 'rated', 4, 100, 1, 10);
		select from tasker.create_tasks('storm', 'order',
			array(select jsonb_build_object('key', case when i % 3 = 0 then 'busy' else (i % 100)::text end) from generate_series(1, `+strconv.Itoa(tasks)+`) as i))`)
	require.NoError(t, err)

	ctx, stop := context.WithTimeout(t.Context(), 20*time.Minute)
	defer stop()
	working, done := context.WithCancel(ctx)
	defer done()
	var others sync.WaitGroup
	for range workers {
		others.Go(func() { s.work(working) })
	}
	others.Go(func() { s.terminate(working) })
	others.Go(func() { s.bound(working) })
	for i := range crashes {
		s.awaitComplete(ctx, t, tasks*(i+1)/(crashes+2))
		require.NoError(t, server.Crash(ctx))
	}
	s.awaitComplete(ctx, t, tasks)
	done()
	others.Wait()
	pool.Reset() // it may hold sessions that the storm ended
	t.Logf("%d tasks, %d claims lost, slowest exchange %s", tasks, s.lost.Load(), time.Duration(s.slowest.Load())*time.Microsecond)
	s.requireLimits(t)
	require.Positive(t, replaytest.Recorded(t, pool))
}

func (s *storm) awaitComplete(ctx context.Context, t *testing.T, tasks int) {
	t.Helper()
	require.Eventually(t, func() bool {
		var complete int
		err := s.pool.QueryRow(ctx, "select count(*) from tasker.tasks where state = 'complete'").Scan(&complete)
		return err == nil && complete >= tasks
	}, 5*time.Minute, 50*time.Millisecond, "%d tasks complete: no place is lost", tasks)
}

// work claims steps of some handlers or of all handlers, and completes, fails, releases or abandons these steps.
func (s *storm) work(ctx context.Context) {
	var held []direct.StepResult
	worker := uuid.New()
	for ctx.Err() == nil {
		request := direct.ClaimRequest{WorkerUUID: worker, Namespaces: []string{"storm"}, Limit: 1 + rand.IntN(8), Lease: time.Second}
		if rand.IntN(2) == 0 {
			request.Handlers = []string{handlers[rand.IntN(4)], handlers[rand.IntN(4)]}
		}
		began := time.Now()
		reply, err := direct.New(s.pool).ExchangeSteps(ctx, direct.Exchange{Results: held, ClaimRequest: request})
		if err != nil {
			time.Sleep(20 * time.Millisecond)
			continue
		}
		for took := time.Since(began).Microseconds(); ; {
			if before := s.slowest.Load(); took <= before || s.slowest.CompareAndSwap(before, took) {
				break
			}
		}
		held = nil
		for _, c := range reply.Claimed {
			claim := direct.StepClaim{StepUUID: c.StepUUID, ClaimNo: c.ClaimNo}
			drawn := rand.IntN(20)
			if strings.Contains(string(c.Context), `"fails": true`) {
				drawn = 2
			}
			switch drawn {
			case 0:
				s.lost.Add(1)
			case 1:
				_, _ = direct.New(s.pool).ReleaseSteps(ctx, []direct.StepClaim{claim})
			case 2:
				held = append(held, direct.StepResult{StepClaim: claim, Error: "try again"})
			default:
				held = append(held, direct.StepResult{StepClaim: claim})
			}
		}
		if len(held) == 0 {
			time.Sleep(time.Duration(5+rand.IntN(20)) * time.Millisecond)
		}
	}
}

// bound gives the busiest key a second place, and removes it again, while steps run.
func (s *storm) bound(ctx context.Context) {
	for ctx.Err() == nil {
		_, _ = s.pool.Exec(ctx, "select from tasker.set_limit_key('storm', 'one', 'busy', 2)")
		time.Sleep(50 * time.Millisecond)
		_, _ = s.pool.Exec(ctx, "select tasker.drop_limit_key('storm', 'one', 'busy')")
		time.Sleep(20 * time.Millisecond)
	}
}

// terminate ends a random session ten times a second.
func (s *storm) terminate(ctx context.Context) {
	for ctx.Err() == nil {
		time.Sleep(100 * time.Millisecond)
		_, _ = s.pool.Exec(ctx, `select pg_terminate_backend(a.pid) from pg_stat_activity as a
			where a.datname = current_database() and a.pid <> pg_backend_pid() order by random() limit 1`)
	}
}

func (s *storm) requireLimits(t *testing.T) {
	t.Helper()
	count := func(sql string, arguments ...any) (n int) {
		t.Helper()
		require.NoError(t, s.pool.QueryRow(t.Context(), sql, arguments...).Scan(&n))
		return n
	}
	s.readMoves(t)
	most := func(name string, busy bool) int {
		return count(`select max(x.n) from (
			select sum(m.n) over (partition by m.key order by m.at, m.n) as n from public.moves as m where m.name = $1 and (m.key = 'busy') = $2) as x`, name, busy)
	}
	require.Equal(t, 1, most("one", false), "at most one step of a key runs, of both handlers together")
	require.Equal(t, 2, most("one", true), "at most two steps run of the key that has two places at times, and at some time two")
	require.Equal(t, 5, most("some", false), "at most five steps run, and at some time five")
	require.LessOrEqual(t, most("rated", false), 4)

	// A claim is charged before its steps get their times. The difference is at most the time of the slowest
	// exchange.
	slack := float64(s.slowest.Load()) / 1e6
	window := count(`select max(x.n) from (
		select count(*) over (order by m.at range between current row and interval '1 second' following) as n
		  from public.moves as m where m.name = 'rated' and m.n = 1) as x`)
	require.LessOrEqual(t, float64(window), 110+100*slack, "at most the rate and its burst start in a second")

	require.Zero(t, count("select count(*) from tasker.step_queue"))
	require.Zero(t, count("select count(*) from tasker.check_integrity()"))
}

// readMoves writes when steps began and ended to run into public.moves.
func (s *storm) readMoves(t *testing.T) {
	t.Helper()
	_, err := s.pool.Exec(t.Context(), `
		create table public.moves as
		select l.name, s.limit_key as key, g.created_at as at, case when g.to_state = 'in_progress' then 1 else -1 end as n
		  from tasker.workflow_step_transition_log as g
		  join tasker.workflow_steps as s on s.task_uuid = g.task_uuid and s.step_no = g.step_no
		  left join tasker.limits as l on l.limit_no = s.limit_no
		 where (g.to_state = 'in_progress') <> (g.from_state = 'in_progress')`)
	require.NoError(t, err)
}
