package eventstorm

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/internal/pgtest/pgserver"
	"github.com/pgtasker/pgtasker/internal/tests/replaytest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// block is the number of tasks that one transaction registers, and of events that another transaction emits at the
// same time.
const block = 128

type storm struct {
	*testing.T
	pool       *pgxpool.Pool
	deliverers *pgxpool.Pool // of the sessions that the storm ends
	server     *pgserver.Server
}

// newStorm registers the storm's template and the template of other tasks. If the server will be killed, the database has a
// server of its own.
func newStorm(t *testing.T, killed bool, template string) *storm {
	t.Helper()
	s := &storm{T: t}
	if killed {
		s.pool, s.server = pgtest.NewPrivate(t, pgtest.MaxConns(12))
	} else {
		s.pool = pgtest.New(t, pgtest.MaxConns(12))
	}
	var err error
	s.deliverers, err = pgxpool.NewWithConfig(t.Context(), s.pool.Config())
	require.NoError(t, err)
	t.Cleanup(s.deliverers.Close)
	for _, template := range []string{template, `{"namespace": "plain", "name": "plain", "identity_strategy": "always_unique", "steps": [{"name": "only"}]}`} {
		_, err := executor.New(s.pool).RegisterTaskTemplate(t.Context(), json.RawMessage(template))
		require.NoError(t, err)
	}
	return s
}

func (s *storm) count(sql string) (n int) {
	s.Helper()
	require.NoError(s, s.pool.QueryRow(s.Context(), sql).Scan(&n))
	return n
}

// gate lets deliverers pass while it is open. It is open at first.
type gate struct{ sync.RWMutex }

func (g *gate) pass()  { g.RLock() }
func (g *gate) leave() { g.RUnlock() }

// close closes the gate, and waits for deliverers that have passed it.
func (g *gate) close() { g.Lock() }
func (g *gate) open()  { g.Unlock() }

// deliver does due work until it must stop, as a claim does first. If its session is ended, it continues in another session.
func (s *storm) deliver(ctx context.Context, limit int32, g *gate) {
	for ctx.Err() == nil {
		g.pass()
		n, err := executor.New(s.deliverers).FireDueTimers(ctx, limit)
		g.leave()
		if err != nil || n == 0 {
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

// endDeliverers ends the sessions that are delivering something, and returns their number.
func (s *storm) endDeliverers(ctx context.Context) (n int) {
	_ = s.pool.QueryRow(ctx, `
		select count(*) filter (where pg_terminate_backend(a.pid))
		  from pg_stat_activity as a
		 where a.datname = current_database() and a.pid <> pg_backend_pid() and a.state = 'active' and a.query like '%fire_due_timers%'`).Scan(&n)
	return n
}

// Four sessions register and emit the same keys in transactions of 128 keys that begin and commit at about the same time. So
// neither transaction sees the other.
func TestStorm_MatchesEventsAndWaitsThatCommitTogether(t *testing.T) {
	pairs := pgtest.Number("PGTASKER_STORM_EVENTS", 5*block) / block * block
	s := newStorm(t, false, `{"namespace": "storm", "name": "pair", "identity_strategy": "always_unique", "steps": [
		{"name": "wait", "await": {"event": "go", "key": "$.k", "look_back": "1d"}}]}`)
	delivering, done := context.WithCancel(t.Context())
	var deliverers, sessions sync.WaitGroup
	for range 2 {
		deliverers.Go(func() { s.deliver(delivering, 500, &gate{}) })
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
	replaytest.Recorded(t, s.pool)
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

func (s *storm) exec(sql string) {
	s.Helper()
	_, err := s.pool.Exec(s.Context(), sql)
	require.NoError(s, err)
}
