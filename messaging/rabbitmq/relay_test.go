package rabbitmq_test

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
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

	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/internal/tests/replaytest"
	"github.com/pgtasker/pgtasker/messaging"
	"github.com/pgtasker/pgtasker/messaging/rabbitmq"
	"github.com/pgtasker/pgtasker/relay"
)

// Tasks are created and worked on while relays are ended in the middle of what they do, their connections to the broker
// and to the database are broken, and the broker itself is restarted: every event gets into the queue, of each step and
// task in order, and soon after all is well again. Load that comes faster than relays deliver says nothing of that: it holds back
// while thousands of events are still to be delivered.
func TestRelay_DeliversEveryEventThroughCrashes(t *testing.T) {
	url := address(t, "PGTASKER_TEST_RABBITMQ")
	seconds, err := strconv.Atoi(os.Getenv("PGTASKER_STORM_SECONDS"))
	if err != nil {
		seconds = 4
	}
	pool := pgtest.New(t, pgtest.MaxConns(16))
	queue := name()
	_, err = pool.Exec(t.Context(), `select tasker.register_task_template(
		'{"namespace": "shop", "name": "sale", "identity_strategy": "always_unique", "steps": [{"name": "a"}, {"name": "b", "dependencies": ["a"]}]}')`)
	require.NoError(t, err)
	_, err = pool.Exec(t.Context(), "select tasker.subscribe('all', p_target => jsonb_build_object('rabbitmq', jsonb_build_object('queue', $1::text)))", queue)
	require.NoError(t, err)

	var n network
	config := relay.Config{
		Targets: map[string]relay.Open{"rabbitmq": func(ctx context.Context, _ string, _ json.RawMessage) (relay.Target, error) {
			q, err := rabbitmq.Open(ctx, rabbitmq.Config{Config: messaging.Config{Name: queue}, URL: url, Dial: n.dial, Logger: slog.New(slog.DiscardHandler)})
			if err != nil {
				return nil, err
			}
			return relay.Queue(q), nil
		}},
		Batch: 20, PollInterval: 5 * time.Millisecond, ListInterval: 20 * time.Millisecond, Lease: 2 * time.Second,
		FirstRetry: 10 * time.Millisecond, MaxRetry: 200 * time.Millisecond, MaxAttempts: 1000000, Logger: slog.New(slog.DiscardHandler),
	}

	storm, end := context.WithTimeout(t.Context(), time.Duration(seconds)*time.Second)
	defer end()
	var load, relays sync.WaitGroup
	var behind, held atomic.Int64
	load.Go(func() { measure(storm, t, pool, &behind) })
	const workers = 3
	for w := range workers {
		load.Go(func() { workOnTasks(storm, t, pool, rand.New(rand.NewPCG(uint64(w), 18)), &behind, &held) })
	}
	calm := make(chan struct{})
	for range 2 {
		relays.Go(func() { runRelays(t, storm, calm, pool, config) })
	}
	restarted := false
	for kills := 0; storm.Err() == nil; kills++ {
		select {
		case <-storm.Done():
		case <-time.After(150 * time.Millisecond):
		}
		switch {
		case kills%3 == 0:
			n.sever()
		case kills%3 == 1:
			_, err := pool.Exec(t.Context(), `select pg_terminate_backend(a.pid) from pg_stat_activity as a
				where a.datname = current_database() and a.application_name = 'relay'`)
			require.NoError(t, err)
		case !restarted && kills > 4:
			ctl(t, "stop_app")
			ctl(t, "start_app")
			restarted = true
		}
	}
	load.Wait()
	quiet := time.Now()
	caughtUp := catchUp(t, pool, quiet.Add(bound))

	var want []uuid.UUID
	rows, err := pool.Query(t.Context(), `
		select t.task_transition_uuid from tasker.task_transitions as t
		union all
		select s.workflow_step_transition_uuid from tasker.workflow_step_transitions as s where s.sort_key > 0`)
	require.NoError(t, err)
	want, err = pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
	require.NoError(t, err)
	require.NotEmpty(t, want)

	got := receiveAll(t, url, queue, len(want))
	t.Logf("%d events, the last sent %v after the storm; the load held back for %v of its %d x %d s",
		len(want), caughtUp.Sub(quiet).Round(time.Millisecond), time.Duration(held.Load()).Round(time.Millisecond), workers, seconds)
	for _, id := range want {
		require.True(t, got[id], "event %s was not delivered", id)
	}
	require.Len(t, got, len(want), "no other event is delivered")
	close(calm)
	relays.Wait()
	require.Positive(t, replaytest.Recorded(t, pool))
}

const (
	// maxBehind is how many events may be still to be delivered before load holds back.
	maxBehind = 5000
	// bound is within what time after the storm all events must have been sent.
	bound = 30 * time.Second
)

// catchUp waits until the relays have sent what was logged until now, and returns when that was.
func catchUp(t *testing.T, pool *pgxpool.Pool, deadline time.Time) time.Time {
	t.Helper()
	for {
		var left time.Duration
		var failures int
		var cause *string
		require.NoError(t, pool.QueryRow(t.Context(), `
			select coalesce((select max(t.created_at) from tasker.task_transitions as t) - s.complete_until, '0'), s.failures, s.last_error
			  from tasker.list_subscriptions('all') as s`).Scan(&left, &failures, &cause))
		now := time.Now()
		if left <= 0 {
			return now
		}
		if now.After(deadline) {
			why := "none"
			if cause != nil {
				why = *cause
			}
			require.Fail(t, "the delay is bounded", "%v after the storm the last %v of it were not sent; %d failures, %s", bound, left, failures, why)
		}
		<-time.After(20 * time.Millisecond)
	}
}

var errRolledBack = errors.New("rolled back")

// measure keeps in behind how many events are still to be delivered.
func measure(ctx context.Context, t *testing.T, pool *pgxpool.Pool, behind *atomic.Int64) {
	for ctx.Err() == nil {
		var n int64
		err := pool.QueryRow(t.Context(), `
			select (select count(*) from tasker.task_transition_log as l where l.created_at > s.complete_until)
			     + (select count(*) from tasker.workflow_step_transition_log as l where l.created_at > s.complete_until)
			  from tasker.list_subscriptions('all') as s`).Scan(&n)
		if err != nil {
			t.Error(err)
			return
		}
		behind.Store(n)
		select {
		case <-ctx.Done():
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// workOnTasks creates tasks, some of which are rolled back, and completes steps, unless too many events are still to be delivered. It
// adds to held how long it held back.
func workOnTasks(ctx context.Context, t *testing.T, pool *pgxpool.Pool, random *rand.Rand, behind, held *atomic.Int64) {
	for ctx.Err() == nil {
		if behind.Load() > maxBehind {
			began := time.Now()
			select {
			case <-ctx.Done():
			case <-time.After(20 * time.Millisecond):
			}
			held.Add(int64(time.Since(began)))
			continue
		}
		err := pgx.BeginFunc(t.Context(), pool, func(tx pgx.Tx) error {
			_, err := tx.Exec(t.Context(), "select from tasker.create_task('shop', 'sale', '{}')")
			if err == nil && random.IntN(6) == 0 {
				return errRolledBack
			}
			return err
		})
		if err != nil && !errors.Is(err, errRolledBack) {
			t.Error(err)
			return
		}
		_, err = pool.Exec(t.Context(), `with c as materialized (
			  select c.step_uuid, c.claim_no from tasker.claim_steps('{shop}', gen_random_uuid(), 5) as c
			)
			select from tasker.complete_steps(array(select step_uuid from c), array(select claim_no from c))`)
		if err != nil {
			t.Error(err)
			return
		}
	}
}

// runRelays runs one relay after the other; during the storm each is ended after a short while.
func runRelays(t *testing.T, storm context.Context, calm <-chan struct{}, pool *pgxpool.Pool, config relay.Config) {
	for {
		own := pool.Config().Copy()
		own.ConnConfig.RuntimeParams["application_name"] = "relay"
		own.MaxConns = 3
		mine, err := pgxpool.NewWithConfig(t.Context(), own)
		if err != nil {
			t.Error(err)
			return
		}
		ctx, crash := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- relay.Run(ctx, mine, config) }()
		var life <-chan time.Time
		if storm.Err() == nil {
			life = time.After(time.Duration(100+rand.IntN(900)) * time.Millisecond)
		}
		over := false
		select {
		case <-life:
		case <-calm:
			over = true
		}
		crash()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		mine.Close()
		if over {
			return
		}
	}
}

// receiveAll receives until that many different events were delivered, and checks the order of each log.
func receiveAll(t *testing.T, url, queue string, events int) map[uuid.UUID]bool {
	t.Helper()
	q := open(t, rabbitmq.Config{Config: messaging.Config{Name: queue}, URL: url})
	got := map[uuid.UUID]bool{}
	last := map[string]int32{}
	for len(got) < events {
		deliveries, err := q.Receive(soon(t), 500)
		require.NoError(t, err, "%d of %d events were delivered", len(got), events)
		for _, d := range deliveries {
			var body struct {
				Data struct {
					EventUUID uuid.UUID  `json:"event_uuid"`
					TaskUUID  uuid.UUID  `json:"task_uuid"`
					StepUUID  *uuid.UUID `json:"workflow_step_uuid"`
					SortKey   int32      `json:"sort_key"`
				}
			}
			require.NoError(t, json.Unmarshal(d.Body, &body))
			require.Equal(t, body.Data.EventUUID.String(), d.ID)
			log := body.Data.TaskUUID.String()
			if body.Data.StepUUID != nil {
				log = body.Data.StepUUID.String()
			}
			if !got[body.Data.EventUUID] {
				before, ok := last[log]
				require.True(t, !ok || body.Data.SortKey == before+1, "%s: %d after %d", log, body.Data.SortKey, before)
				last[log] = body.Data.SortKey
				got[body.Data.EventUUID] = true
			}
			require.NoError(t, q.Acknowledge(soon(t), d))
		}
	}
	return got
}
