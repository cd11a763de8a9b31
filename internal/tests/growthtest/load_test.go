package growthtest_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/pgtest"
)

// makeOldRanges creates ranges of one day that are all past their retention, with this many ended tasks in each.
func makeOldRanges(t testing.TB, pool *pgxpool.Pool, ranges, tasks int) {
	t.Helper()
	exec(t, pool, `select tasker_test.register('old', 'only')`)
	exec(t, pool, `update tasker.partition_config set partition_interval = '1 day', retention = '1 day', backend = 'builtin'`)
	owner, err := pool.Begin(t.Context())
	require.NoError(t, err)
	exec(t, owner, `set local role tasker_owner`)
	exec(t, owner, `
		select tasker.create_partition_range(d.day, d.day + interval '1 day')
		  from (select date_trunc('day', now(), 'UTC') - interval '60 days' + n * interval '1 day' as day
		          from generate_series(1, $1::int) as n) as d`, ranges)
	require.NoError(t, owner.Commit(t.Context()))
	exec(t, pool, `
		insert into tasker.tasks (task_uuid, named_task_uuid, correlation_id, state, complete, completed_at, requested_at)
		select u.task_uuid, k.named_task_uuid, u.task_uuid, 'complete', true, r.starts_at, r.starts_at
		  from tasker.partition_ranges as r
		 cross join generate_series(1, $1::int) as n
		 cross join lateral (
		   select (left(tasker.uuid_v7_floor(r.starts_at + n * interval '1 second')::text, 14) || '7abc-9def-012345670000')::uuid
		 ) as u (task_uuid)
		  join tasker.named_tasks as k on k.name = 'old'
		 where r.ends_at < now() - interval '1 day'`, tasks)
	exec(t, pool, `
		insert into tasker.workflow_steps (task_uuid, step_no, workflow_step_uuid, named_step_uuid, name, state, processed_at, results)
		select t.task_uuid, n, tasker.step_uuid(t.task_uuid, n), s.named_step_uuid, 'only', 'complete', t.completed_at, '{}'
		  from tasker.tasks as t
		 cross join generate_series(1, 7) as n
		  join tasker.named_steps as s on s.name = 'only'
		 where t.complete`)
}

// crew is a set of connections that create tasks and run their steps, as fast as they can, until they are stopped.
type crew struct {
	calls, failed atomic.Int64
	times         []time.Duration // of all transactions, set when the crew has stopped

	cancel   context.CancelFunc
	group    sync.WaitGroup
	mutex    sync.Mutex
	problems []error
}

func startWorkers(ctx context.Context, pool *pgxpool.Pool, n int) *crew {
	ctx, cancel := context.WithCancel(ctx)
	c := &crew{cancel: cancel}
	for range n {
		c.group.Go(func() {
			times, err := c.work(ctx, pool)
			c.mutex.Lock()
			defer c.mutex.Unlock()
			c.times = append(c.times, times...)
			if err != nil {
				c.problems = append(c.problems, err)
			}
		})
	}
	return c
}

// stop returns the errors of the workers when all have stopped.
func (c *crew) stop() []error {
	c.cancel()
	c.group.Wait()
	return c.problems
}

// work is one connection. It creates five tasks at a time, and exchanges results for steps.
func (c *crew) work(ctx context.Context, pool *pgxpool.Pool) (times []time.Duration, err error) {
	e := direct.New(pool)
	contexts := slices.Repeat([]json.RawMessage{json.RawMessage(`{}`)}, 5)
	worker := uuid.New()
	var results []direct.StepResult
	for {
		start := time.Now()
		_, err := e.CreateTasks(ctx, executor.TasksRequest{Namespace: "test", Name: "diamond", Contexts: contexts})
		if err == nil {
			times = append(times, time.Since(start))
			start = time.Now()
			var reply direct.ExchangeReply
			reply, err = e.ExchangeSteps(ctx, direct.Exchange{
				Results:      results,
				ClaimRequest: direct.ClaimRequest{WorkerUUID: worker, Limit: 20},
			})
			results = results[:0]
			for _, step := range reply.Claimed {
				results = append(results, direct.StepResult{
					StepClaim: direct.StepClaim{StepUUID: step.StepUUID, ClaimNo: step.ClaimNo},
					Results:   json.RawMessage(`{"ok": true}`),
				})
			}
			for _, answer := range reply.Answers {
				if answer.Answer != "completed" {
					err = errors.Join(err, fmt.Errorf("answered %s", answer.Answer))
				}
			}
		}
		if ctx.Err() != nil {
			return times, nil
		}
		if err != nil {
			c.failed.Add(1)
			return times, err
		}
		c.calls.Add(1)
		times = append(times, time.Since(start))
	}
}

func median(times []time.Duration) time.Duration {
	slices.Sort(times)
	return times[len(times)/2]
}

func TestRetention_DropsRangesUnderWorkingConnections(t *testing.T) {
	t.Parallel()
	const ranges, workers = 25, 6
	pool := pgtest.New(t, pgtest.MaxConns(workers+2))
	exec(t, pool, `select tasker_test.register_diamond()`)
	makeOldRanges(t, pool, ranges, 200)
	before := scan[int](t, pool, `select count(*) from tasker.partition_ranges`)

	// First without a drop, for comparison.
	alone := startWorkers(t.Context(), pool, workers)
	require.Eventually(t, func() bool { return alone.calls.Load() >= 300 || alone.failed.Load() > 0 }, time.Minute, time.Millisecond)
	require.Empty(t, alone.stop())

	busy := startWorkers(t.Context(), pool, workers)
	e := direct.New(pool)
	var problems []error
	var drops []time.Duration
	var waited int
	ways := map[string]int{}
	until := time.Now().Add(5 * time.Minute)
	for len(drops) < ranges && time.Now().Before(until) {
		start := time.Now()
		outcomes, err := e.ApplyRetention(t.Context())
		if err != nil {
			problems = append(problems, err)
			break
		}
		took := time.Since(start)
		switch {
		case len(outcomes) > 0 && outcomes[len(outcomes)-1].Outcome == "dropped":
			drops = append(drops, took)
		default:
			waited++
			for _, outcome := range outcomes {
				ways[regexp.MustCompile(`\d+`).ReplaceAllString(outcome.Detail, "N")]++
			}
			// This has the effect of a minute that passes.
			exec(t, pool, `update tasker.partition_ranges set retry_at = null where retry_at is not null`)
		}
	}
	problems = append(problems, busy.stop()...)

	for _, err := range problems {
		var pgErr *pgconn.PgError
		require.False(t, errors.As(err, &pgErr) && pgErr.Code == "40P01", "a deadlock: %v", err)
	}
	require.Empty(t, problems)
	require.Len(t, drops, ranges)
	require.Equal(t, before-ranges, scan[int](t, pool, `select count(*) from tasker.partition_ranges`))
	requireSound(t, pool)
	require.Zero(t, scan[int](t, pool, `select count(*) from tasker.tasks as t, lateral tasker_test.violations(t.task_uuid)`))
	slices.Sort(drops)
	t.Logf("%d ranges dropped under %d connections: median %s, slowest %s, %d calls were blocked by another session (%v); "+
		"%d calls of workers, median %s, slowest %s; without retention median %s, slowest %s",
		ranges, workers, drops[len(drops)/2], drops[len(drops)-1], waited, ways,
		len(busy.times), median(busy.times), slices.Max(busy.times), median(alone.times), slices.Max(alone.times))
}

// A reader that runs for minutes blocks the call, but no other session has to wait.
func TestRetention_DoesNotQueueBehindALongTransaction(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	makeOldRanges(t, pool, 2, 1)
	e := direct.New(pool)

	reader, err := pool.Begin(t.Context())
	require.NoError(t, err)
	exec(t, reader, `select count(*) from tasker.tasks`)
	outcomes, err := e.ApplyRetention(t.Context())
	require.NoError(t, err)
	require.Len(t, outcomes, 2)
	for _, outcome := range outcomes {
		require.Equal(t, "busy", outcome.Outcome)
		require.Contains(t, outcome.Detail, "holds AccessShareLock on tasker.tasks")
	}
	require.Zero(t, scan[int](t, pool, `select count(*) from tasker.partition_ranges where busy_count > 0`))

	require.NoError(t, reader.Rollback(t.Context()))
	outcomes, err = e.ApplyRetention(t.Context())
	require.NoError(t, err)
	require.Equal(t, "dropped", outcomes[0].Outcome)
}

// The manager does not see a session that arrives after its check. The manager then waits for the lock, gives up in time, and
// does not try again for a while.
func TestRetention_BacksOffAfterItHasQueuedInVain(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	makeOldRanges(t, pool, 1, 1)
	exec(t, pool, `create or replace function tasker.old_lock_holder(p_relations regclass[]) returns text
		language sql as $$ select null::text $$`)
	e := direct.New(pool)

	reader, err := pool.Begin(t.Context())
	require.NoError(t, err)
	exec(t, reader, `select from tasker.workflow_step_transition_log limit 1`)
	for _, detail := range []string{"could not lock tasker.step_log within 00:00:00.2", "tried 1 times; the next time at"} {
		outcomes, err := e.ApplyRetention(t.Context())
		require.NoError(t, err)
		require.Len(t, outcomes, 1)
		require.Equal(t, "busy", outcomes[0].Outcome)
		require.Contains(t, outcomes[0].Detail, detail)
	}
	require.Zero(t, scan[int](t, pool, `
		select count(*) from pg_locks
		 where mode = 'AccessExclusiveLock' and relation in (select inhparent from pg_inherits)
		   and database = (select oid from pg_database where datname = current_database())`))
	require.NoError(t, reader.Rollback(t.Context()))

	exec(t, pool, `update tasker.partition_ranges set retry_at = tasker.clock() - interval '1 second' where busy_count > 0`)
	outcomes, err := e.ApplyRetention(t.Context())
	require.NoError(t, err)
	require.Equal(t, "dropped", outcomes[0].Outcome)
}

// The manager uses the lock order of the engine. If a caller locks in another order, the manager gives way.
func TestRetention_GivesWayInsteadOfADeadlock(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	makeOldRanges(t, pool, 1, 1)
	exec(t, pool, `create or replace function tasker.old_lock_holder(p_relations regclass[]) returns text
		language sql as $$ select null::text $$`)
	conn, err := pool.Acquire(t.Context())
	require.NoError(t, err)
	defer conn.Release()

	other, err := pool.Begin(t.Context())
	require.NoError(t, err)
	exec(t, other, `lock table tasker.workflow_steps in row exclusive mode`)
	var outcomes []gen.RetentionOutcome
	done := make(chan error, 1)
	go func() {
		var err error
		outcomes, err = direct.New(conn).ApplyRetention(t.Context())
		done <- err
	}()
	pgtest.WaitBlocked(t, pool, conn.Conn().PgConn().PID())
	exec(t, other, `select from tasker.tasks limit 1`)
	require.NoError(t, <-done)
	require.Len(t, outcomes, 1)
	require.Equal(t, "busy", outcomes[0].Outcome)
	require.NoError(t, other.Commit(t.Context()))
}

func TestRetention_OneManagerAtATime(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	makeOldRanges(t, pool, 3, 1)
	e := direct.New(pool)

	first, err := pool.Begin(t.Context())
	require.NoError(t, err)
	outcomes, err := direct.New(first).ApplyRetention(t.Context())
	require.NoError(t, err)
	require.Equal(t, "dropped", outcomes[0].Outcome)

	outcomes, err = e.ApplyRetention(t.Context())
	require.NoError(t, err)
	require.Empty(t, outcomes)
	made, err := e.EnsurePartitions(t.Context())
	require.NoError(t, err)
	require.Zero(t, made)
	name, err := e.AnalyzeParents(t.Context(), 0)
	require.NoError(t, err)
	require.Empty(t, name)
	require.NoError(t, first.Rollback(t.Context()))

	outcomes, err = e.ApplyRetention(t.Context())
	require.NoError(t, err)
	require.Equal(t, "dropped", outcomes[0].Outcome, "the next call drops the range of the call that was rolled back")
}

// A task of an old range that is reset while the range is being checked is not lost.
func TestRetention_SeesATaskThatIsOpenedAgain(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	makeOldRanges(t, pool, 1, 1)
	exec(t, pool, `create or replace function tasker.old_lock_holder(p_relations regclass[]) returns text
		language sql as $$ select null::text $$`)
	exec(t, pool, `select tasker.set_setting('partition_lock_timeout_ms', '10000')`)
	exec(t, pool, `alter database `+scan[string](t, pool, `select quote_ident(current_database())`)+` set deadlock_timeout = '15s'`)
	conn, err := pgx.Connect(t.Context(), pgtest.URL(pool))
	require.NoError(t, err)
	defer func() { require.NoError(t, conn.Close(context.WithoutCancel(t.Context()))) }()

	operator, err := pool.Begin(t.Context())
	require.NoError(t, err)
	exec(t, operator, `update tasker.tasks set state = 'pending', complete = false, completed_at = null where complete`)
	answer := make(chan string, 1)
	go func() {
		outcomes, err := direct.New(conn).ApplyRetention(t.Context())
		if err != nil || len(outcomes) != 1 {
			answer <- "no outcome"
			return
		}
		answer <- outcomes[0].Outcome + ": " + outcomes[0].Detail
	}()
	pgtest.WaitBlocked(t, pool, conn.PgConn().PID())
	require.NoError(t, operator.Commit(t.Context()))
	require.Equal(t, "held: tasks: 1 not ended", <-answer)
	require.Equal(t, 1, scan[int](t, pool, `select count(*) from tasker.tasks`))
}

func TestMaintenance_MakesPartitionsWithoutWaitingForWriters(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	exec(t, pool, `select tasker_test.register_diamond()`)
	writer, err := pool.Begin(t.Context())
	require.NoError(t, err)
	exec(t, writer, `select tasker_test.start_task()`)

	exec(t, pool, `update tasker.partition_config set premake = premake + 2`)
	made, err := direct.New(pool).EnsurePartitions(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 2, made)
	exec(t, writer, `select tasker_test.start_task()`)
	require.NoError(t, writer.Commit(t.Context()))
}
