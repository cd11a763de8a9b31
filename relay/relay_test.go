package relay

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/internal/tests/replaytest"
)

// inbox is a target in memory.
type inbox struct {
	lock   sync.Mutex
	events []executor.FeedEvent
	refuse func(event executor.FeedEvent) error
	got    chan struct{}
}

func newInbox() *inbox { return &inbox{got: make(chan struct{}, 1000)} }

func (i *inbox) Deliver(_ context.Context, events []executor.FeedEvent) (int, error) {
	i.lock.Lock()
	defer i.lock.Unlock()
	for n, event := range events {
		if i.refuse != nil {
			if err := i.refuse(event); err != nil {
				return n, err
			}
		}
		i.events = append(i.events, event)
		i.got <- struct{}{}
	}
	return len(events), nil
}

func (*inbox) Close() error { return nil }

func (i *inbox) open(context.Context, string, json.RawMessage) (Target, error) { return i, nil }

// database returns a database with the template shop/sale of one step and a subscription to creations.
func database(t *testing.T, target string) *pgxpool.Pool {
	t.Helper()
	pool := pgtest.New(t, pgtest.MaxConns(8))
	_, err := pool.Exec(t.Context(), `select tasker.register_task_template(
		'{"namespace": "shop", "name": "sale", "identity_strategy": "always_unique", "steps": [{"name": "a"}]}')`)
	require.NoError(t, err)
	_, err = executor.New(pool).Subscribe(t.Context(), sqlfn.SubscribeParams{
		Subscription: "made", Filter: json.RawMessage(`{"events": ["Create"]}`), Target: json.RawMessage(target),
	})
	require.NoError(t, err)
	return pool
}

func create(t *testing.T, pool *pgxpool.Pool) (task uuid.UUID) {
	t.Helper()
	require.NoError(t, pool.QueryRow(t.Context(), "select c.task_uuid from tasker.create_task('shop', 'sale', '{}') as c").Scan(&task))
	return task
}

// start runs a relay until the test ends or stop is called.
func start(t *testing.T, pool *pgxpool.Pool, config Config) (stop func()) {
	t.Helper()
	config.PollInterval, config.ListInterval, config.FirstRetry = 5*time.Millisecond, 10*time.Millisecond, 5*time.Millisecond
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- Run(ctx, pool, config) }()
	stop = sync.OnceFunc(func() {
		cancel()
		require.NoError(t, <-done)
	})
	t.Cleanup(stop)
	return stop
}

func (i *inbox) await(t *testing.T, n int) (tasks []uuid.UUID) {
	t.Helper()
	for range n {
		select {
		case <-i.got:
		case <-time.After(time.Minute):
			t.Fatal("nothing was delivered")
		}
	}
	i.lock.Lock()
	defer i.lock.Unlock()
	for _, event := range i.events {
		tasks = append(tasks, event.TaskUUID)
	}
	return tasks
}

func TestRun_OnlyOneOfTwoRelaysDelivers(t *testing.T) {
	t.Parallel()
	pool := database(t, `{"rabbitmq": {"queue": "x"}}`)
	box := newInbox()
	config := Config{Targets: map[string]Open{"rabbitmq": box.open}}
	first := start(t, pool, config)
	start(t, pool, config)
	var want []uuid.UUID
	for range 20 {
		want = append(want, create(t, pool))
	}
	require.Equal(t, want, box.await(t, 20))
	first()
	want = append(want, create(t, pool))
	require.Equal(t, want, box.await(t, 1), "the other goes on")
	replaytest.Recorded(t, pool)
}

func TestRun_TriesAgainAndGivesUp(t *testing.T) {
	t.Parallel()
	pool := database(t, `{"rabbitmq": {"queue": "x"}}`)
	first, second, third := create(t, pool), create(t, pool), create(t, pool)
	box := newInbox()
	tries := map[uuid.UUID]int{}
	box.refuse = func(event executor.FeedEvent) error {
		tries[event.TaskUUID]++
		switch {
		case event.TaskUUID == first && tries[first] < 3:
			return errors.New("not yet")
		case event.TaskUUID == second:
			return errors.New("never \x00")
		}
		return nil
	}
	start(t, pool, Config{Targets: map[string]Open{"rabbitmq": box.open}, MaxAttempts: 4})
	require.Equal(t, []uuid.UUID{first, third}, box.await(t, 2))
	box.lock.Lock()
	defer box.lock.Unlock()
	require.Equal(t, map[uuid.UUID]int{first: 3, second: 4, third: 1}, tries)
	dead, err := executor.New(pool).ListDeadEvents(t.Context(), "made", 10)
	require.NoError(t, err)
	require.Len(t, dead, 1)
	require.Contains(t, string(dead[0].Event), second.String())
	require.Equal(t, "never  ", dead[0].Error)
}

func TestRun_GivesUpAtOnceWhatIsPermanent(t *testing.T) {
	t.Parallel()
	pool := database(t, `{"rabbitmq": {"queue": "x"}}`)
	bad, good := create(t, pool), create(t, pool)
	box := newInbox()
	box.refuse = func(event executor.FeedEvent) error {
		if event.TaskUUID == bad {
			return permanent(errors.New("too large"))
		}
		return nil
	}
	start(t, pool, Config{Targets: map[string]Open{"rabbitmq": box.open}})
	require.Equal(t, []uuid.UUID{good}, box.await(t, 1))
}

func TestRun_SendsToPgmqInTheTransactionThatAcknowledges(t *testing.T) {
	t.Parallel()
	pool := database(t, `{"webhook": {"url": "https://example.org"}}`)
	sql := executor.New(pool)
	_, err := sql.EnsureTaskQueue(t.Context(), "events")
	require.NoError(t, err)
	_, err = sql.Subscribe(t.Context(), sqlfn.SubscribeParams{
		Subscription: "made", Filter: json.RawMessage(`{"events": ["Create"]}`), Target: json.RawMessage(`{"pgmq": {"queue": "events"}}`),
	})
	require.NoError(t, err)
	want := []uuid.UUID{create(t, pool), create(t, pool)}
	start(t, pool, Config{})
	require.Eventually(t, func() bool {
		list, err := sql.ListSubscriptions(t.Context(), "")
		return err == nil && list[0].Delivered == 2
	}, time.Minute, 10*time.Millisecond)
	var ids, tasks []uuid.UUID
	require.NoError(t, pool.QueryRow(t.Context(), `
		select array_agg((q.headers ->> 'message_id')::uuid order by q.msg_id), array_agg((q.message #>> '{data,task_uuid}')::uuid order by q.msg_id)
		  from pgmq.q_events as q`).Scan(&ids, &tasks))
	require.Equal(t, want, tasks)
	require.Len(t, ids, 2)
}

func TestRun_FollowsChangesOfSubscriptions(t *testing.T) {
	t.Parallel()
	pool := database(t, `{"webhook": {"url": "https://example.org"}}`)
	box := newInbox()
	start(t, pool, Config{Targets: map[string]Open{"rabbitmq": box.open}})
	task := create(t, pool)
	sql := executor.New(pool)
	_, err := sql.Subscribe(t.Context(), sqlfn.SubscribeParams{
		Subscription: "made", Filter: json.RawMessage(`{"events": ["Create"]}`), Target: json.RawMessage(`{"rabbitmq": {"queue": "x"}}`),
	})
	require.NoError(t, err)
	require.Equal(t, []uuid.UUID{task}, box.await(t, 1))
	_, err = sql.ReplayEvents(t.Context(), "made", time.Now().Add(-time.Hour))
	require.NoError(t, err)
	require.Equal(t, []uuid.UUID{task, task}, box.await(t, 1), "a replay sends it again")
	require.Equal(t, box.events[0].EventUUID, box.events[1].EventUUID)
	gone, err := sql.Unsubscribe(t.Context(), "made")
	require.NoError(t, err)
	require.True(t, gone)
}

func TestBackoff_DoublesUpToTheLongest(t *testing.T) {
	t.Parallel()
	require.Equal(t, time.Second, backoff(time.Second, time.Hour, 0))
	require.Equal(t, 8*time.Second, backoff(time.Second, time.Hour, 3))
	require.Equal(t, time.Hour, backoff(time.Second, time.Hour, 1000))
}
