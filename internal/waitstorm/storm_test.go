package waitstorm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

const order = `{"namespace": "storm", "name": "order", "identity_strategy": "caller_provided", "steps": [
	{"name": "check"},
	{"name": "approve", "dependencies": ["check"], "await": [{"signal": "approved"}, {"signal": "rejected"}],
	 "timeout": 2, "on_timeout": "complete"},
	{"name": "ship", "dependencies": ["approve"]}]}`

// storm is what a run needs: PGTASKER_STORM_TASKS and PGTASKER_STORM_CRASHES make it longer.
type storm struct {
	pool      *pgxpool.Pool
	tasks     int
	delivered atomic.Int64
	kept      atomic.Int64
	repeated  atomic.Int64
	refused   atomic.Int64
}

func TestStorm_EverySignalHasOneEffect(t *testing.T) {
	tasks, crashes := number("PGTASKER_STORM_TASKS", 200), number("PGTASKER_STORM_CRASHES", 2)
	pool, server := pgtest.NewPrivate(t, pgtest.MaxConns(12))
	s := &storm{pool: pool, tasks: tasks}
	_, err := executor.New(pool).RegisterTaskTemplate(t.Context(), json.RawMessage(order))
	require.NoError(t, err)

	ctx, stop := context.WithTimeout(t.Context(), 20*time.Minute)
	defer stop()
	var senders, others sync.WaitGroup
	working, done := context.WithCancel(ctx)
	for range 3 {
		others.Go(func() { s.work(working) })
	}
	others.Go(func() { s.terminate(working) })
	numbers := make(chan int)
	for range 6 {
		senders.Go(func() {
			for i := range numbers {
				s.send(ctx, i)
			}
		})
	}
	for i := range tasks {
		if crashes > 0 && i > 0 && i%max(tasks/(crashes+1), 1) == 0 {
			require.NoError(t, server.Crash(ctx))
		}
		numbers <- i
	}
	close(numbers)
	senders.Wait()

	require.Eventually(t, func() bool {
		var open int
		err := pool.QueryRow(ctx, "select count(*) from tasker.tasks where not complete").Scan(&open)
		return err == nil && open == 0
	}, 5*time.Minute, 100*time.Millisecond, "the tasks end")
	done()
	others.Wait()
	t.Logf("%d tasks, signals: %d delivered, %d kept, %d repeated, %d refused", tasks, s.delivered.Load(), s.kept.Load(),
		s.repeated.Load(), s.refused.Load())
	s.requireOutcome(t)
}

func number(name string, otherwise int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
		return n
	}
	return otherwise
}

// send sends a task its signal: one in four early, by which it is created, one in four never, the others late; each again and
// again, under one key, until it has been answered three times.
func (s *storm) send(ctx context.Context, i int) {
	e := executor.New(s.pool)
	key := executor.TaskKey{Namespace: "storm", Name: "order", IdentityKey: fmt.Sprint(i)}
	signal := executor.Signal{Name: []string{"approved", "rejected"}[i%2], IdempotencyKey: "evt"}
	if i%4 != 0 {
		again(ctx, func() error {
			_, err := e.CreateTask(ctx, executor.TaskRequest{Namespace: key.Namespace, Name: key.Name, IdentityKey: key.IdentityKey})
			return err
		})
	}
	if i%4 == 1 {
		return
	}
	if i%4 > 1 {
		time.Sleep(time.Duration(rand.IntN(200)) * time.Millisecond)
	}
	for range 3 {
		again(ctx, func() error {
			answer, err := e.SendSignalByKey(ctx, key, signal, &executor.SignalStart{})
			if errors.Is(err, executor.ErrConflict) {
				s.refused.Add(1) // it came after the end
				return nil
			}
			switch answer.Answer {
			case executor.SignalDelivered:
				s.delivered.Add(1)
			case executor.SignalKept:
				s.kept.Add(1)
			case executor.SignalRepeated:
				s.repeated.Add(1)
			}
			return err
		})
	}
}

// again calls until there is no error: sessions are terminated, and the server is away for a while.
func again(ctx context.Context, call func() error) {
	for ctx.Err() == nil {
		if call() == nil {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// work claims and completes steps; what it loses it claims again when the lease has ended.
func (s *storm) work(ctx context.Context) {
	var held []executor.StepResult
	worker := uuid.New()
	for ctx.Err() == nil {
		reply, err := executor.New(s.pool).ExchangeSteps(ctx, executor.Exchange{
			Results: held, ClaimRequest: executor.ClaimRequest{WorkerUUID: worker, Limit: 5, Lease: 2 * time.Second},
		})
		if err != nil {
			time.Sleep(20 * time.Millisecond)
			continue
		}
		held = nil
		for _, c := range reply.Claimed {
			held = append(held, executor.StepResult{StepClaim: executor.StepClaim{StepUUID: c.StepUUID, ClaimNo: c.ClaimNo}})
		}
		if len(held) == 0 {
			time.Sleep(20 * time.Millisecond)
		}
	}
}

// terminate ends the session of somebody, ten times a second.
func (s *storm) terminate(ctx context.Context) {
	for ctx.Err() == nil {
		time.Sleep(100 * time.Millisecond)
		_, _ = s.pool.Exec(ctx, `select pg_terminate_backend(a.pid) from pg_stat_activity as a
			where a.datname = current_database() and a.pid <> pg_backend_pid() order by random() limit 1`)
	}
}

func (s *storm) requireOutcome(t *testing.T) {
	t.Helper()
	count := func(sql string) (n int) {
		t.Helper()
		require.NoError(t, s.pool.QueryRow(t.Context(), sql).Scan(&n))
		return n
	}
	require.Equal(t, s.tasks, count("select count(*) from tasker.tasks where state = 'complete'"), "every task is there once, and complete")
	require.Zero(t, count("select count(*) from tasker.waits"))
	require.Zero(t, count("select count(*) from tasker.timers"))
	require.Zero(t, count(`select count(*) from (select from tasker.task_signals group by task_uuid having count(*) > 1) as g`),
		"a key makes one signal")
	require.Zero(t, count(`
		select count(*)
		  from tasker.workflow_steps as s
		  left join tasker.task_signals as g on g.task_uuid = s.task_uuid and g.step_no = s.step_no
		 where s.name = 'approve'
		   and (s.results ->> 'by' = 'signal') <> (g.task_uuid is not null)`), "a signal that was taken ended the wait, and no other did")
	require.Zero(t, count(`
		select count(*) from tasker.workflow_steps as s
		 where s.name = 'approve'
		   and (select count(*) from tasker.workflow_step_transition_log as l
		         where l.task_uuid = s.task_uuid and l.step_no = s.step_no and l.to_state = 'complete') <> 1`), "each wait ended once")
	require.Positive(t, count("select count(*) from tasker.workflow_steps where results ->> 'by' = 'timeout'"))
	require.Positive(t, count("select count(*) from tasker.workflow_steps where results ->> 'by' = 'signal'"))
	require.Zero(t, count("select count(*) from tasker.check_integrity()"))
}
