package crontest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/internal/pgtest/pgserver"
	"github.com/pgtasker/pgtasker/internal/tests/replaytest"
)

// Schedules tick at the same instant. They are fired by workers whose sessions are killed in the middle of their calls. Each tick
// has one task. The long form has 1,000 schedules that tick each minute and 8 workers, unless PGTASKER_STORM_EVERY and
// PGTASKER_STORM_WORKERS are set. In the long form the server crashes, and later a standby takes its place.
func TestStorm_EachTickHasOneTask(t *testing.T) {
	t.Parallel()
	var pool *pgxpool.Pool
	var server, standby *pgserver.Server
	schedules, every, length := 30, int32(1), 3*time.Second
	workers := pgtest.Number("PGTASKER_STORM_WORKERS", 8)
	if long := os.Getenv("PGTASKER_STORM"); long != "" {
		var err error
		length, err = time.ParseDuration(long)
		require.NoError(t, err)
		schedules, every = 1000, int32(pgtest.Number("PGTASKER_STORM_EVERY", 60))
		pool, server = pgtest.NewPrivate(t, pgtest.MaxConns(int32(workers+4)))
		standby, err = server.StartStandby(t.Context())
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, standby.Stop()) })
	} else {
		pool = pgtest.New(t, pgtest.MaxConns(int32(workers+4)))
	}
	makeSchedules(t, pool, schedules, every)

	var current atomic.Pointer[pgxpool.Pool]
	current.Store(pool)
	working, stop := context.WithCancel(t.Context())
	defer stop()
	var all sync.WaitGroup
	for range workers {
		all.Go(func() { work(working, &current) })
	}
	killed, began, crashed, promoted := 0, time.Now(), server == nil, standby == nil
	// A busy machine needs longer, so wait until each schedule has ticked.
	for r := rand.New(rand.NewPCG(uint64(length), 1)); time.Since(began) < length || !ticked(t, current.Load()); {
		require.Less(t, time.Since(began), length+2*time.Minute, "each schedule ticks")
		time.Sleep(time.Duration(100+r.IntN(int(min(length/10, 700*time.Millisecond)/time.Millisecond))) * time.Millisecond)
		killed += kill(t, current.Load())
		switch passed := time.Since(began); {
		case !crashed && passed > length/3:
			require.NoError(t, server.Crash(t.Context()))
			crashed = true
			t.Logf("the server crashed after %s", passed)
		case !promoted && passed > length*2/3:
			current.Store(promote(t, pool, standby))
			promoted = true
			t.Logf("the standby was promoted after %s", passed)
		}
	}
	stop()
	all.Wait()
	current.Load().Reset() // it may hold sessions that the storm ended
	require.True(t, crashed && promoted)
	check(t, current.Load(), schedules, every)
	require.Positive(t, replaytest.Recorded(t, current.Load()))
	t.Logf("%d sessions were killed", killed)
	require.NotZero(t, killed)
}

// promote makes a standby the primary, and returns the database of pool on it.
func promote(t *testing.T, pool *pgxpool.Pool, standby *pgserver.Server) *pgxpool.Pool {
	t.Helper()
	from, err := url.Parse(pool.Config().ConnString())
	require.NoError(t, err)
	to, err := url.Parse(standby.URL)
	require.NoError(t, err)
	to.Path = from.Path
	config, err := pgxpool.ParseConfig(to.String())
	require.NoError(t, err)
	config.MaxConns = pool.Config().MaxConns
	promoted, err := pgxpool.NewWithConfig(t.Context(), config)
	require.NoError(t, err)
	t.Cleanup(promoted.Close)
	var done bool
	require.NoError(t, promoted.QueryRow(t.Context(), "select pg_promote()").Scan(&done))
	require.True(t, done)
	return promoted
}

func makeSchedules(t *testing.T, pool *pgxpool.Pool, n int, every int32) {
	t.Helper()
	e := direct.New(pool)
	_, err := e.RegisterTaskTemplate(t.Context(), []byte(`{"namespace": "storm", "name": "report", "steps": [{"name": "write"}]}`))
	require.NoError(t, err)
	// All schedules tick at the same instant.
	start := time.Now().Add(time.Second + 10*time.Millisecond*time.Duration(n)).Truncate(time.Second)
	for i := range n {
		_, err := e.SetSchedule(t.Context(), sqlfn.SetScheduleParams{
			Namespace: "storm", Schedule: fmt.Sprintf("s%04d", i), TaskName: "report", EverySeconds: every, Timezone: "UTC",
			Context: []byte(`{}`), StartsAt: start, CatchUp: "all", CatchUpLimit: 10000, Overlap: "allow",
		})
		require.NoError(t, err)
	}
}

// work claims and completes steps, like a worker that notices a lost connection by an error.
func work(ctx context.Context, current *atomic.Pointer[pgxpool.Pool]) {
	worker := uuid.Must(uuid.NewV7())
	exchange := direct.Exchange{ClaimRequest: direct.ClaimRequest{WorkerUUID: worker, Namespaces: []string{"storm"}, Limit: 10}}
	for ctx.Err() == nil {
		reply, err := direct.New(current.Load()).ExchangeSteps(ctx, exchange)
		exchange.Results = nil
		if err != nil {
			time.Sleep(5 * time.Millisecond)
			continue
		}
		for _, step := range reply.Claimed {
			exchange.Results = append(exchange.Results, direct.StepResult{
				StepClaim: direct.StepClaim{StepUUID: step.StepUUID, ClaimNo: step.ClaimNo}, Results: []byte(`{}`),
			})
		}
		if len(reply.Claimed) == 0 {
			time.Sleep(5 * time.Millisecond)
		}
	}
}

// kill ends the session of a worker that is in the middle of a call. It does nothing while the server is down.
func kill(t *testing.T, pool *pgxpool.Pool) int {
	t.Helper()
	var n int
	_ = pool.QueryRow(t.Context(), `
		select count(pg_terminate_backend(a.pid))
		  from (
		    select a.pid
		      from pg_stat_activity as a
		     where a.datname = current_database()
		       and a.pid <> pg_backend_pid()
		       and a.state = 'active'
		       and a.query like '%exchange_steps%'
		     order by random()
		     limit 1
		  ) as a`).Scan(&n)
	return n
}

// ticked reports whether each schedule has ticked.
func ticked(t *testing.T, pool *pgxpool.Pool) (all bool) {
	t.Helper()
	_ = pool.QueryRow(t.Context(), "select not exists (select from tasker.schedules as s where s.last_task_uuid is null)").Scan(&all)
	return all
}

// check asserts that there is one task for each tick between the first and the last of each schedule, and no other task.
func check(t *testing.T, pool *pgxpool.Pool, schedules int, every int32) {
	t.Helper()
	var (
		tasks, ticks, repeated, errors, quiet int
		p50, p99, latest                      float64
	)
	require.NoError(t, pool.QueryRow(t.Context(), `
		with made as (
		  select t.headers ->> 'schedule' as schedule, (t.headers ->> 'tick')::timestamptz as tick, t.requested_at - (t.headers ->> 'tick')::timestamptz as late
		    from tasker.tasks as t
		),
		of_schedule as (
		  select m.schedule, count(*) as tasks, count(distinct m.tick) as ticks,
		         extract(epoch from max(m.tick) - min(m.tick)) / $1 + 1 as expected
		    from made as m
		   group by m.schedule
		)
		select (select count(*) from made), (select sum(o.expected) from of_schedule as o),
		       (select count(*) from of_schedule as o where o.tasks <> o.ticks or o.ticks <> o.expected),
		       (select count(*) from tasker.schedules as s where s.last_error is not null),
		       (select count(*) from tasker.schedules as s where s.last_task_uuid is null),
		       (select percentile_cont(0.5) within group (order by extract(epoch from m.late)) from made as m),
		       (select percentile_cont(0.99) within group (order by extract(epoch from m.late)) from made as m),
		       (select max(extract(epoch from m.late)) from made as m)`, every).
		Scan(&tasks, &ticks, &repeated, &errors, &quiet, &p50, &p99, &latest))
	t.Logf("%d schedules, %d tasks; after the tick: p50 %.3f s, p99 %.3f s, latest %.3f s", schedules, tasks, p50, p99, latest)
	require.Equal(t, ticks, tasks)
	require.Zero(t, repeated, "schedules with a tick that was missed or doubled")
	require.Zero(t, errors, "schedules with an error")
	require.Zero(t, quiet, "schedules that never ticked")
}
