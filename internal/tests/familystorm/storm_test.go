package familystorm

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/internal/tests/replaytest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// Every template fails by itself, so that no task waits for an operator.
var templates = []string{
	`{"namespace": "storm", "name": "leaf", "on_failure": "fail", "identity_strategy": "always_unique", "steps": [
	  {"name": "a", "retry": {"max_attempts": 1}}, {"name": "b", "dependencies": ["a"], "retry": {"max_attempts": 1}}]}`,
	`{"namespace": "storm", "name": "middle", "on_failure": "fail", "identity_strategy": "always_unique", "steps": [
	  {"name": "one", "task": {"name": "leaf"}, "retry": {"max_attempts": 2, "base_seconds": 0.1}},
	  {"name": "two", "task": {"name": "leaf"}},
	  {"name": "end", "dependencies": ["one", "two"], "retry": {"max_attempts": 3, "base_seconds": 0.1}}]}`,
	`{"namespace": "storm", "name": "top", "on_failure": "fail", "identity_strategy": "always_unique", "steps": [
	  {"name": "begin"},
	  {"name": "left", "dependencies": ["begin"], "task": {"name": "middle"}, "retry": {"max_attempts": 3, "base_seconds": 0.1}},
	  {"name": "right", "dependencies": ["begin"], "task": {"name": "middle"}, "timeout": 20, "on_timeout": "complete"},
	  {"name": "free", "task": {"name": "leaf", "abandon": true}},
	  {"name": "end", "dependencies": ["left", "right"], "join": "settled"}]}`,
}

// storm is one run. PGTASKER_STORM_FAMILIES, PGTASKER_STORM_WORKERS and PGTASKER_STORM_CRASHES make it longer.
type storm struct {
	pool      *pgxpool.Pool
	deadlocks atomic.Int64
	acts      atomic.Int64
}

func TestStorm_FamiliesEndAndNothingIsLeftOpen(t *testing.T) {
	families, workers, crashes := pgtest.Number("PGTASKER_STORM_FAMILIES", 40), pgtest.Number("PGTASKER_STORM_WORKERS", 4), pgtest.Number("PGTASKER_STORM_CRASHES", 1)
	pool, server := pgtest.NewPrivate(t, pgtest.MaxConns(int32(workers)+8))
	s := &storm{pool: pool}
	for _, template := range templates {
		_, err := direct.New(pool).RegisterTaskTemplate(t.Context(), json.RawMessage(template))
		require.NoError(t, err)
	}

	ctx, stop := context.WithTimeout(t.Context(), 40*time.Minute)
	defer stop()
	working, done := context.WithCancel(ctx)
	defer done()
	meddling, calm := context.WithCancel(ctx)
	defer calm()
	var others, meddlers sync.WaitGroup
	for range workers {
		others.Go(func() { s.work(working) })
	}
	meddlers.Go(func() { s.meddle(meddling) })
	meddlers.Go(func() { s.meddle(meddling) })
	meddlers.Go(func() { s.terminate(meddling) })
	for i := range families {
		if crashes > 0 && i > 0 && i%max(families/(crashes+1), 1) == 0 {
			require.NoError(t, server.Crash(ctx))
		}
		for ctx.Err() == nil {
			_, err := direct.New(pool).CreateTask(ctx, executor.TaskRequest{Namespace: "storm", Name: "top"})
			if err == nil {
				break
			}
			time.Sleep(20 * time.Millisecond)
		}
		time.Sleep(time.Duration(rand.IntN(50)) * time.Millisecond)
	}
	calm()
	meddlers.Wait()
	pool.Reset() // it may hold sessions that the storm ended

	if !assert.Eventually(t, func() bool { return s.left(ctx) == "" }, 3*time.Minute, 100*time.Millisecond, "every task ends, and every timer fires") {
		t.Fatalf("left:\n%s", s.left(ctx))
	}
	done()
	others.Wait()

	count := func(sql string) (n int) {
		t.Helper()
		require.NoError(t, pool.QueryRow(t.Context(), sql).Scan(&n))
		return n
	}
	t.Logf("%d families, %d tasks, %d complete, %d cancelled, %d failed; %d calls of operators; %d deadlocks",
		families, count("select count(*) from tasker.tasks"), count("select count(*) from tasker.tasks where state = 'complete'"),
		count("select count(*) from tasker.tasks where state = 'cancelled'"), count("select count(*) from tasker.tasks where state = 'error'"),
		s.acts.Load(), s.deadlocks.Load())
	require.Zero(t, s.deadlocks.Load())
	require.Zero(t, count("select deadlocks from pg_stat_database where datname = current_database()"))
	require.Positive(t, count("select count(*) from tasker.tasks where depth = 2"))
	require.Positive(t, replaytest.Recorded(t, pool))
	problems, err := direct.New(pool).CheckIntegrity(t.Context(), time.Time{}, time.Time{}, 0)
	require.NoError(t, err)
	require.Empty(t, problems)
	require.Zero(t, count(`
		select count(*)
		  from tasker.workflow_steps as s
		  join tasker.tasks as c on c.task_uuid = s.child_task_uuid
		 where s.state = 'complete' and s.results -> 'by' is null and c.state not in ('complete', 'cancelled')`),
		"a step is complete by its task's result, or without it by its time-out or an operator")
}

// left shows the open steps and the timers.
func (s *storm) left(ctx context.Context) (left string) {
	err := s.pool.QueryRow(ctx, `
		select coalesce(string_agg(l.line, e'\n'), '')
		  from (select format('%s %s', to_jsonb(t), to_jsonb(s)) as line
		          from tasker.tasks as t
		          left join tasker.workflow_steps as s on s.task_uuid = t.task_uuid
		         where not t.complete
		         union all
		        select format('timer %s', to_jsonb(n)) from tasker.timers as n) as l`).Scan(&left)
	if err != nil {
		return err.Error()
	}
	return left
}

// note counts deadlocks. Terminated sessions and a server that is down for a while are no errors here.
func (s *storm) note(err error) {
	var pg *pgconn.PgError
	if errors.As(err, &pg) && pg.Code == "40P01" {
		s.deadlocks.Add(1)
	}
}

// work claims and completes steps, and fails one in twelve. It claims a lost step again when the lease has ended.
func (s *storm) work(ctx context.Context) {
	var held []direct.StepResult
	worker := uuid.New()
	for ctx.Err() == nil {
		reply, err := direct.New(s.pool).ExchangeSteps(ctx, direct.Exchange{
			Results: held, ClaimRequest: direct.ClaimRequest{WorkerUUID: worker, Limit: 1 + rand.IntN(8), Lease: 2 * time.Second},
		})
		if err != nil {
			s.note(err)
			time.Sleep(20 * time.Millisecond)
			continue
		}
		held = nil
		for _, c := range reply.Claimed {
			result := direct.StepResult{StepClaim: direct.StepClaim{StepUUID: c.StepUUID, ClaimNo: c.ClaimNo}}
			if rand.IntN(12) == 0 {
				result.Error = "no"
			}
			held = append(held, result)
		}
		if len(held) == 0 {
			time.Sleep(10 * time.Millisecond)
		}
	}
}

// meddle acts as operators do, on any task of any level.
func (s *storm) meddle(ctx context.Context) {
	e := direct.New(s.pool)
	for ctx.Err() == nil {
		time.Sleep(time.Duration(rand.IntN(60)) * time.Millisecond)
		var (
			task, step uuid.UUID
			err        error
		)
		if err = s.pool.QueryRow(ctx, `
			select t.task_uuid, s.workflow_step_uuid
			  from tasker.tasks as t
			  join tasker.workflow_steps as s on s.task_uuid = t.task_uuid
			 where t.state not in ('complete', 'cancelled')
			 order by random() limit 1`).Scan(&task, &step); err != nil {
			continue
		}
		switch rand.IntN(6) {
		case 0:
			_, err = e.CancelTask(ctx, task, "", "")
		case 1, 2:
			_, err = e.ResetTask(ctx, task, "", "")
		case 3:
			_, err = e.RetryStep(ctx, step, "", "")
		case 4:
			_, err = e.ResolveStepManually(ctx, step, "", "")
		case 5:
			// By the rules of docs/locking.md several calls in one transaction, in any order, could deadlock. An operator makes
			// one call.
			_, err = e.ExplainStep(ctx, step)
		}
		s.note(err)
		s.acts.Add(1)
	}
}

// terminate ends the session of another client, five times a second.
func (s *storm) terminate(ctx context.Context) {
	for ctx.Err() == nil {
		time.Sleep(200 * time.Millisecond)
		_, _ = s.pool.Exec(ctx, `select pg_terminate_backend(a.pid) from pg_stat_activity as a
			where a.datname = current_database() and a.pid <> pg_backend_pid() order by random() limit 1`)
	}
}
