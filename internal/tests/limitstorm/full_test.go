package limitstorm

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/internal/tests/replaytest"
	"github.com/pgtasker/pgtasker/worker"
)

// limited registers a template whose only step names a limit, and sets the bounds of the limit.
func limited(t *testing.T, pool *pgxpool.Pool, bounds sqlfn.SetLimitParams) {
	t.Helper()
	_, err := direct.New(pool).RegisterTaskTemplate(t.Context(), []byte(`{"namespace": "storm", "name": "call",
		"identity_strategy": "always_unique", "steps": [{"name": "call", "limit": "api", "limit_key": "$.key"}]}`))
	require.NoError(t, err)
	setLimit(t, pool, bounds)
}

func setLimit(t *testing.T, pool *pgxpool.Pool, bounds sqlfn.SetLimitParams) {
	t.Helper()
	bounds.Namespace, bounds.Name = "storm", "api"
	_, err := direct.New(pool).SetLimit(t.Context(), bounds)
	require.NoError(t, err)
}

// wait creates tasks of a key. An empty key is null.
func wait(t *testing.T, pool *pgxpool.Pool, key string, tasks int) {
	t.Helper()
	for ; tasks > 0; tasks -= 10_000 {
		_, err := pool.Exec(t.Context(), `select from tasker.create_tasks('storm', 'call',
			array_fill(jsonb_build_object('key', nullif($1, '')), array[$2::integer]))`, key, min(tasks, 10_000))
		require.NoError(t, err)
	}
}

// With many idle workers, half of which listen, the places of a limit without a key are taken at all times. A run with as many
// workers as places, and steps without a limit, shows the speed of the machine.
func TestLimit_IsKeptFullByIdleWorkers(t *testing.T) {
	long := pgtest.Number("PGTASKER_STORM_IDLE", 0)
	// In the short form steps take a tenth of a second and other tests keep the machine busy, so a place may be free for longer
	// than a step takes. If places were taken only when a worker polls, less than a third of them would be used.
	workers, places, rounds, took, share := 12, 3, 6, 100*time.Millisecond, 0.3
	if long > 0 {
		workers, places, rounds, took, share = long, 20, 15, time.Second, 0.975
	}
	if long == 0 {
		t.Parallel()
	}
	free := runIdle(t, idle{workers: places, places: places, rounds: rounds, took: took})
	limited := runIdle(t, idle{workers: workers, places: places, rounds: rounds, took: took, limited: true})
	t.Logf("%d places: %s; with %d workers and no limit %s", places, limited, places, free)
	require.LessOrEqual(t, limited.most, places)
	// Without a limit more steps than places may run, because workers claim ahead while exchanges take longer than
	// handlers.
	reachable := float64(places)
	// A machine that cannot keep the same steps running without a limit does not show the cost of the limit.
	if free.mean < 0.985*reachable {
		reachable = free.mean
	}
	require.GreaterOrEqual(t, limited.mean, share*reachable)
}

// idle describes a run: the numbers of workers and of places, the time of a step, and the number of steps for each place.
type idle struct {
	workers, places, rounds int
	took                    time.Duration
	limited                 bool
}

// use has the largest and the average number of running steps, and how long a place was free between two steps.
type use struct {
	most      int
	mean      float64
	gap, late time.Duration // the median and the 95th percentile
	exchanges int64
}

func (u use) String() string {
	return fmt.Sprintf("%.2f taken on average, free for %s between two steps, one in twenty %s, %d exchanges", u.mean, u.gap, u.late, u.exchanges)
}

func runIdle(t *testing.T, run idle) (u use) {
	t.Helper()
	pool := pgtest.New(t, pgtest.MaxConns(40))
	if run.limited {
		limited(t, pool, sqlfn.SetLimitParams{Concurrency: new(int32(run.places))})
	} else {
		_, err := direct.New(pool).RegisterTaskTemplate(t.Context(), []byte(`{"namespace": "storm", "name": "call",
			"identity_strategy": "always_unique", "steps": [{"name": "call"}]}`))
		require.NoError(t, err)
	}

	ctx, stop := context.WithCancel(t.Context())
	var all sync.WaitGroup
	var working []*worker.Worker
	for i := range run.workers {
		w, err := worker.New(pool, worker.Config{
			Concurrency: 1, PollOnly: i%2 == 1, NoMaintenance: i > 0, Logger: slog.New(slog.DiscardHandler),
		})
		require.NoError(t, err)
		worker.Handle(w, "call", func(context.Context, *worker.Job[struct{}]) (struct{}, error) {
			time.Sleep(run.took)
			return struct{}{}, nil
		})
		working = append(working, w)
		all.Go(func() { _ = w.Run(ctx) })
	}
	// Wait until the workers that listen have claimed in vain once and sleep.
	require.Eventually(t, func() bool {
		var asleep, seen int
		err := pool.QueryRow(ctx, `select (select count(*) from tasker.sleepers where channel = 'tasker_steps_ready.storm'),
			(select count(*) from tasker.workers)`).Scan(&asleep, &seen)
		return err == nil && asleep >= (run.workers+1)/2 && seen >= run.workers
	}, time.Minute, 10*time.Millisecond, "%d workers are there, half of them asleep", run.workers)
	// Measure only after the sessions have made their plans.
	s := &storm{pool: pool}
	wait(t, pool, "", 2*run.places)
	s.awaitComplete(ctx, t, 2*run.places)
	for _, w := range working {
		u.exchanges -= w.Stats().Exchanges
	}
	var begins time.Time
	require.NoError(t, pool.QueryRow(ctx, "select clock_timestamp()").Scan(&begins))
	wait(t, pool, "", run.places*run.rounds)
	s.awaitComplete(ctx, t, run.places*(2+run.rounds))
	for _, w := range working {
		u.exchanges += w.Stats().Exchanges
	}
	stop()
	all.Wait()
	require.Positive(t, replaytest.Recorded(t, pool))

	s.readMoves(t)
	_, err := pool.Exec(t.Context(), "delete from public.moves where at < $1", begins)
	require.NoError(t, err)
	var gap, late float64
	// Measure from the time at which all places are first taken until the last start. A busy machine may never take all places, or
	// only with the last start. In this case measure from the first start.
	require.NoError(t, pool.QueryRow(t.Context(), `
		with running as (
		  select m.at, sum(m.n) over (order by m.at, m.n) as n, lead(m.at) over (order by m.at, m.n) as until from public.moves as m
		),
		last_start as (
		  select max(m.at) as at from public.moves as m where m.n = 1
		),
		full_time as (
		  select coalesce(min(r.at) filter (where r.n = $1 and r.at < s.at), min(r.at)) as begins, s.at as ends
		    from running as r cross join last_start as s
		   group by s.at
		),
		-- The first place that was given back is the first that is taken again.
		gaps as (
		  select extract(epoch from b.at - e.at) * 1000 as ms
		    from (select m.at, row_number() over (order by m.at) as turn from public.moves as m where m.n = -1) as e
		    join (select m.at, row_number() over (order by m.at) - $1 as turn from public.moves as m where m.n = 1) as b on b.turn = e.turn
		)
		select (select max(r.n) from running as r),
		       sum(r.n * extract(epoch from r.until - r.at)) / nullif(sum(extract(epoch from r.until - r.at)), 0),
		       (select percentile_cont(0.5) within group (order by g.ms) from gaps as g),
		       (select percentile_cont(0.95) within group (order by g.ms) from gaps as g)
		  from running as r
		  join full_time as f on r.at >= f.begins and r.until <= f.ends`, run.places).Scan(&u.most, &u.mean, &gap, &late))
	u.gap, u.late = time.Duration(gap*1e6).Round(100*time.Microsecond), time.Duration(late*1e6).Round(100*time.Microsecond)
	return u
}

// A limit is set to 20, 5 and 50 while steps run. After each change no step starts while as many steps as the limit,
// or more, are running.
func TestLimit_ChangesWhileStepsRun(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t, pgtest.MaxConns(20))
	limited(t, pool, sqlfn.SetLimitParams{Concurrency: new(int32(20))})
	wait(t, pool, "", 100)
	ctx, stop := context.WithCancel(t.Context())
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() { hold(ctx, pool) })
	}
	all.Go(func() { feed(ctx, pool) })
	running := func(want int, comparison string) {
		t.Helper()
		require.Eventually(t, func() bool {
			var is bool
			err := pool.QueryRow(t.Context(), "select count(*) "+comparison+" $1 from tasker.step_queue as q where q.lane = 'running'", want).Scan(&is)
			return err == nil && is
		}, time.Minute, time.Millisecond, "%s %d run", comparison, want)
	}
	changed := func(places int32) (at time.Time) {
		t.Helper()
		setLimit(t, pool, sqlfn.SetLimitParams{Concurrency: &places})
		// When no older transaction runs, all claims that read the previous bound have ended.
		require.Eventually(t, func() bool {
			var over bool
			err := pool.QueryRow(t.Context(), `select not exists (
				select from pg_stat_activity as a where a.datname = current_database() and a.pid <> pg_backend_pid()
				   and a.xact_start < (select l.updated_at from tasker.limits as l)), clock_timestamp()`).Scan(&over, &at)
			return err == nil && over
		}, time.Minute, time.Millisecond)
		return at
	}
	running(20, "=")
	lowered := changed(5)
	running(5, "<=")
	var raised time.Time
	require.NoError(t, pool.QueryRow(t.Context(), "select clock_timestamp()").Scan(&raised))
	changed(50)
	running(21, ">=")
	stop()
	all.Wait()

	s := &storm{pool: pool}
	s.readMoves(t)
	var early, between, most int
	require.NoError(t, pool.QueryRow(t.Context(), `
		with running as (select m.at, m.n as move, sum(m.n) over (order by m.at, m.n) as n from public.moves as m)
		select coalesce(max(r.n) filter (where r.at < $1), 0), coalesce(max(r.n) filter (where r.at between $1 and $2 and r.move = 1), 0), max(r.n)
		  from running as r`, lowered, raised).Scan(&early, &between, &most))
	require.LessOrEqual(t, early, 20)
	require.Greater(t, early, 5)
	require.LessOrEqual(t, between, 5)
	require.LessOrEqual(t, most, 50)
	replaytest.Recorded(t, pool)
}

// feed creates tasks, so that steps always wait.
func feed(ctx context.Context, pool *pgxpool.Pool) {
	for ctx.Err() == nil {
		_, _ = pool.Exec(ctx, `select from tasker.create_tasks('storm', 'call', array_fill('{}'::jsonb, array[50]))
			where (select count(*) < 100 from tasker.step_queue as q where q.lane = 'limited')`)
		time.Sleep(5 * time.Millisecond)
	}
}

// hold claims steps one by one and holds up to four steps at a time. It completes each step a little later.
func hold(ctx context.Context, pool *pgxpool.Pool) {
	e, worker := direct.New(pool), uuid.New()
	var held []direct.StepResult
	for ctx.Err() == nil {
		claimed, err := e.ClaimSteps(ctx, direct.ClaimRequest{WorkerUUID: worker, Namespaces: []string{"storm"}, Limit: 4 - len(held)})
		if err != nil {
			continue
		}
		for _, c := range claimed {
			held = append(held, direct.StepResult{StepClaim: direct.StepClaim{StepUUID: c.StepUUID, ClaimNo: c.ClaimNo}})
		}
		if len(held) == 4 || len(claimed) == 0 && len(held) > 0 {
			_, _ = e.CompleteSteps(ctx, held[:1])
			held = held[1:]
		}
	}
}
