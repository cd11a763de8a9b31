package eventstorm

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/internal/pgtest/pgserver"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// block is how many tasks one transaction registers, and how many events another one emits at the same time.
const block = 128

type storm struct {
	*testing.T
	pool   *pgxpool.Pool
	server *pgserver.Server
}

func number(name string, otherwise int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
		return n
	}
	return otherwise
}

// newStorm registers the template, in a database of a server of its own if that is to be killed.
func newStorm(t *testing.T, killed bool, template string) *storm {
	t.Helper()
	s := &storm{T: t}
	if killed {
		s.pool, s.server = pgtest.NewPrivate(t, pgtest.MaxConns(12))
	} else {
		s.pool = pgtest.New(t, pgtest.MaxConns(12))
	}
	_, err := executor.New(s.pool).RegisterTaskTemplate(t.Context(), json.RawMessage(template))
	require.NoError(t, err)
	return s
}

func (s *storm) count(sql string) (n int) {
	s.Helper()
	require.NoError(s, s.pool.QueryRow(s.Context(), sql).Scan(&n))
	return n
}

// deliver fires what is due until it is told to stop: what a claim does first. A session that is ended goes on in another.
func (s *storm) deliver(ctx context.Context, limit int32) {
	for ctx.Err() == nil {
		if n, err := executor.New(s.pool).FireDueTimers(ctx, limit); err != nil || n == 0 {
			pause(ctx, 2*time.Millisecond)
		}
	}
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

// endDeliverers ends the sessions that deliver something just now, and returns how many they were.
func (s *storm) endDeliverers(ctx context.Context) (n int) {
	_ = s.pool.QueryRow(ctx, `
		select count(*) filter (where pg_terminate_backend(a.pid))
		  from pg_stat_activity as a
		 where a.datname = current_database() and a.pid <> pg_backend_pid() and a.state = 'active' and a.query like '%fire_due_timers%'`).Scan(&n)
	return n
}

// Sessions register and emit the same keys in transactions that begin and commit at about the same time, so that neither sees the
// other: 128 keys a transaction, four sessions.
func TestStorm_AnEventAndAWaitFindEachOther(t *testing.T) {
	pairs := number("PGTASKER_STORM_EVENTS", 5*block) / block * block
	s := newStorm(t, false, `{"namespace": "storm", "name": "pair", "identity_strategy": "always_unique", "steps": [
		{"name": "wait", "await": {"event": "go", "key": "$.k", "look_back": "1d"}}]}`)
	delivering, done := context.WithCancel(t.Context())
	var deliverers, sessions sync.WaitGroup
	for range 2 {
		deliverers.Go(func() { s.deliver(delivering, 500) })
	}
	blocks := make(chan int)
	began := time.Now()
	for range 2 {
		sessions.Go(func() {
			for b := range blocks {
				s.pair(b)
			}
		})
	}
	var ended int
	for b := range pairs / block {
		blocks <- b
		if b%50 == 3 {
			ended += s.endDeliverers(t.Context())
		}
		if b > 0 && b%500 == 0 {
			t.Logf("%d pairs after %s", b*block, time.Since(began).Round(time.Second))
		}
	}
	close(blocks)
	sessions.Wait()
	require.Eventually(t, func() bool { return s.count("select count(*) from tasker.timers") == 0 }, 10*time.Minute, 20*time.Millisecond)
	done()
	deliverers.Wait()

	lost, twice := s.count("select count(*) from tasker.waits"), s.count("select count(*) from (select from tasker.broadcast_receipts group by event_uuid having count(*) <> 1) as r")
	t.Logf("%d pairs, %d deliverers ended, in %s: %d lost, %d twice", pairs, ended, time.Since(began).Round(time.Second), lost, twice)
	require.Zero(t, lost)
	require.Zero(t, twice)
	require.Equal(t, pairs, s.count("select count(*) from tasker.broadcast_receipts"))
	require.Equal(t, pairs, s.count(`
		select count(*)
		  from tasker.tasks as t
		  join tasker.workflow_steps as s on s.task_uuid = t.task_uuid
		 where t.state = 'complete' and s.results ->> 'key' = t.context ->> 'k' and s.results ->> 'payload' = t.context ->> 'k'`))
	require.Zero(t, s.count("select count(*) from tasker.broadcasts where delivered_at is null"))
	require.Zero(t, s.count("select count(*) from tasker.check_integrity()"))
}

// pair registers and emits one block in two transactions at once.
func (s *storm) pair(b int) {
	var both sync.WaitGroup
	for _, sql := range []string{
		`select count(*) from tasker.create_tasks('storm', 'pair', array(select jsonb_build_object('k', $1 || '.' || i) from generate_series(1, $2) as i))`,
		`select count(*) from generate_series(1, $2) as i cross join lateral tasker.emit_event('storm', 'go', $1 || '.' || i, to_jsonb($1 || '.' || i))`,
	} {
		both.Go(func() {
			pause(s.Context(), time.Duration(rand.IntN(20))*time.Millisecond)
			err := pgx.BeginFunc(s.Context(), s.pool, func(tx pgx.Tx) error {
				_, err := tx.Exec(s.Context(), sql, fmt.Sprint(b), block)
				pause(s.Context(), time.Duration(rand.IntN(10))*time.Millisecond)
				return err
			})
			if err != nil {
				s.Error(err)
			}
		})
	}
	both.Wait()
}

// A crowd waits for one event, which is emitted in a transaction that stays open; then its deliverers are ended in the middle, and
// a server is killed.
func TestStorm_ACrowdGetsOneEventOnce(t *testing.T) {
	crowd, held := number("PGTASKER_STORM_CROWD", 1000), time.Duration(number("PGTASKER_STORM_HELD", 1))*time.Second
	s := newStorm(t, true, `{"namespace": "storm", "name": "crowd", "identity_strategy": "always_unique", "steps": [
		{"name": "other"}, {"name": "wait", "await": {"event": "go"}}]}`)
	e := executor.New(s.pool)
	_, err := e.RegisterTaskTemplate(t.Context(), json.RawMessage(`{"namespace": "plain", "name": "plain", "identity_strategy": "always_unique", "steps": [{"name": "only"}]}`))
	require.NoError(t, err)
	s.exec("select count(*) from tasker.create_tasks('plain', 'plain', array_fill('{}'::jsonb, array[200]))")
	before := s.claimBuffers()
	again := s.claimBuffers()
	for made := 0; made < crowd; made += 1000 {
		s.exec(fmt.Sprintf("select count(*) from tasker.create_tasks('storm', 'crowd', array_fill('{}'::jsonb, array[%d]))", min(1000, crowd-made)))
	}
	require.Eventually(t, func() bool {
		_, err := e.FireDueTimers(t.Context(), 1000)
		return err == nil && s.count("select count(*) from tasker.timers") == 0
	}, 10*time.Minute, time.Millisecond)
	s.exec("vacuum analyze")
	require.Equal(t, crowd, s.count("select count(*) from tasker.waits"))
	waiting := s.claimBuffers()

	tx, err := s.pool.Begin(t.Context())
	require.NoError(t, err)
	_, err = executor.New(tx).EmitEvent(t.Context(), executor.Event{Namespace: "storm", Name: "go"})
	require.NoError(t, err)
	open := s.claimBuffers()
	busy, worked, slowest := s.workOn(held)
	require.NoError(t, tx.Commit(t.Context()))
	require.Zero(t, busy, "no result of a task that waits was busy while the event was being emitted")

	// A deliverer holds the event's note: claims of others do not wait for it.
	holder, err := s.pool.Begin(t.Context())
	require.NoError(t, err)
	_, err = executor.New(holder).FireDueTimers(t.Context(), 100)
	require.NoError(t, err)
	delivered := s.claimBuffers()
	require.NoError(t, holder.Rollback(t.Context()))
	t.Logf("buffers of a claim of others: %d and %d before, %d with %d waits, %d while the event is emitted, %d while it is delivered; %d results meanwhile, the slowest in %s",
		before, again, waiting, crowd, open, delivered, worked, slowest)
	// The margin is for indexes that are a level deeper, and rows that are dead.
	require.LessOrEqual(t, waiting, again+12)
	require.LessOrEqual(t, open, waiting+12)

	delivering, done := context.WithCancel(t.Context())
	defer done()
	var deliverers sync.WaitGroup
	for range 2 {
		deliverers.Go(func() { s.deliver(delivering, 100) })
	}
	var ended atomic.Int64
	ends := 4
	for i := range ends {
		goal := (i + 1) * crowd / (ends + 2)
		require.Eventually(t, func() bool {
			var n int
			err := s.pool.QueryRow(t.Context(), "select count(*) from tasker.broadcast_receipts").Scan(&n)
			return err == nil && n >= goal
		}, 10*time.Minute, time.Millisecond)
		if i == ends/2 {
			require.NoError(t, s.server.Crash(t.Context()))
			ended.Add(1)
			continue
		}
		ended.Add(int64(s.endDeliverers(t.Context())))
	}
	require.Eventually(t, func() bool {
		var n int
		err := s.pool.QueryRow(t.Context(), "select count(*) from tasker.timers where kind = 'deliver_event'").Scan(&n)
		return err == nil && n == 0
	}, 10*time.Minute, 10*time.Millisecond)
	done()
	deliverers.Wait()
	t.Logf("%d steps got the event, %d deliverers ended, one of them with the server", crowd, ended.Load())
	require.Equal(t, crowd, s.count("select count(*) from tasker.broadcast_receipts"))
	require.Equal(t, crowd, s.count("select count(*) from tasker.workflow_steps where name = 'wait' and state = 'complete'"))
	require.Equal(t, crowd, s.count("select count(*) from tasker.workflow_step_transition_log as l join tasker.workflow_steps as s using (task_uuid, step_no) where s.name = 'wait' and l.from_state = 'suspended'"))
	require.Zero(t, s.count("select count(*) from tasker.waits"))
	require.Zero(t, s.count("select count(*) from tasker.check_integrity()"))
}

func (s *storm) exec(sql string) {
	s.Helper()
	_, err := s.pool.Exec(s.Context(), sql)
	require.NoError(s, err)
}

// workOn claims and completes the other steps of tasks that wait, and returns how many results were busy, how many were recorded,
// and how long the slowest exchange took.
func (s *storm) workOn(d time.Duration) (busy, worked int, slowest time.Duration) {
	s.Helper()
	e, worker := executor.New(s.pool), uuid.New()
	var held []executor.StepResult
	for end := time.Now().Add(d); time.Now().Before(end); {
		began := time.Now()
		reply, err := e.ExchangeSteps(s.Context(), executor.Exchange{
			Results: held, ClaimRequest: executor.ClaimRequest{WorkerUUID: worker, Namespaces: []string{"storm"}, Limit: 10},
		})
		require.NoError(s, err)
		slowest = max(slowest, time.Since(began))
		for _, answer := range reply.Answers {
			worked++
			if answer.Answer == "busy" {
				busy++
			}
		}
		held = nil
		for _, c := range reply.Claimed {
			held = append(held, executor.StepResult{StepClaim: executor.StepClaim{StepUUID: c.StepUUID, ClaimNo: c.ClaimNo}})
		}
		if len(held) == 0 {
			pause(s.Context(), 20*time.Millisecond)
		}
	}
	return busy, worked, slowest
}

// claimBuffers is how many buffers a claim of another namespace touches: the least of ten.
func (s *storm) claimBuffers() int {
	s.Helper()
	least := 1 << 30
	for range 10 {
		conn, err := s.pool.Begin(s.Context())
		require.NoError(s, err)
		var raw []byte
		require.NoError(s, conn.QueryRow(s.Context(), `
			explain (analyze, buffers, timing off, format json)
			select * from tasker.claim_steps('{plain}', '01980000-0000-7000-8000-00000000000b', 1)`).Scan(&raw))
		require.NoError(s, conn.Rollback(s.Context()))
		var plan []struct {
			Plan struct {
				Hit  int `json:"Shared Hit Blocks"`
				Read int `json:"Shared Read Blocks"`
			}
		}
		require.NoError(s, json.Unmarshal(raw, &plan))
		least = min(least, plan[0].Plan.Hit+plan[0].Plan.Read)
	}
	return least
}
