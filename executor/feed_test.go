package executor_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/faultproxy"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/internal/tests/replaytest"
)

// newFeed returns a database with the template shop/sale, of steps a and then b, and the subscription "all".
func newFeed(t *testing.T, filter executor.FeedFilter) *pgxpool.Pool {
	t.Helper()
	pool := pgtest.New(t, pgtest.MaxConns(16))
	_, err := pool.Exec(t.Context(), `select tasker.register_task_template(
		'{"namespace": "shop", "name": "sale", "identity_strategy": "always_unique", "steps": [{"name": "a"}, {"name": "b", "dependencies": ["a"]}]}')`)
	require.NoError(t, err)
	raw, err := json.Marshal(filter)
	require.NoError(t, err)
	_, err = executor.New(pool).Subscribe(t.Context(), sqlfn.SubscribeParams{Subscription: "all", Filter: raw})
	require.NoError(t, err)
	return pool
}

// drain reads and acknowledges events until none is left.
func drain(t *testing.T, db executor.DBTX, reader uuid.UUID, batch int32) (events []executor.FeedEvent) {
	t.Helper()
	e := executor.New(db)
	for {
		got, err := e.ReadEvents(t.Context(), sqlfn.ReadEventsParams{Subscription: "all", ReaderUUID: reader, Limit: batch, LeaseSeconds: 30})
		require.NoError(t, err)
		if len(got) == 0 {
			return events
		}
		events = append(events, got...)
		_, err = e.AcknowledgeEvents(t.Context(), sqlfn.AcknowledgeEventsParams{
			Subscription: "all", ReaderUUID: reader, Place: got[len(got)-1].Place, Events: int32(len(got)),
		})
		require.NoError(t, err)
	}
}

func create(t *testing.T, db executor.DBTX) (task uuid.UUID) {
	t.Helper()
	require.NoError(t, db.QueryRow(t.Context(), "select c.task_uuid from tasker.create_task('shop', 'sale', '{}') as c").Scan(&task))
	return task
}

func tasksOf(events []executor.FeedEvent) (tasks []uuid.UUID) {
	for _, e := range events {
		tasks = append(tasks, e.TaskUUID)
	}
	return tasks
}

func TestReadEvents_SkipNothingThoughTransactionsCommitOutOfOrder(t *testing.T) {
	t.Parallel()
	pool := newFeed(t, executor.FeedFilter{Events: []string{"Create"}})
	reader := uuid.New()
	begin := func() pgx.Tx {
		tx, err := pool.Begin(t.Context())
		require.NoError(t, err)
		return tx
	}

	// The first transaction writes first and commits last. The second has a number, but writes in a subtransaction whose own
	// number is higher than those of transactions that have ended by then.
	first, second := begin(), begin()
	early := create(t, first)
	_, err := second.Exec(t.Context(), "select pg_current_xact_id()")
	require.NoError(t, err)
	middle := create(t, pool)
	require.Equal(t, []uuid.UUID{middle}, tasksOf(drain(t, pool, reader, 10)))
	nested, err := second.Begin(t.Context())
	require.NoError(t, err)
	inner := create(t, nested)
	require.NoError(t, nested.Commit(t.Context()))
	late := create(t, pool)
	require.Equal(t, []uuid.UUID{late}, tasksOf(drain(t, pool, reader, 10)))
	require.NoError(t, second.Commit(t.Context()))
	require.Equal(t, []uuid.UUID{inner}, tasksOf(drain(t, pool, reader, 10)))
	require.NoError(t, first.Commit(t.Context()))
	require.Equal(t, []uuid.UUID{early}, tasksOf(drain(t, pool, reader, 10)), "it is older than what was read, and comes all the same")
	require.Empty(t, drain(t, pool, reader, 10))
}

// A snapshot does not list the transaction that takes it, and if a newer transaction has ended, it looks as if it had ended, too.
func TestFeed_DeliversWhatATransactionWritesAfterItHasSubscribedOrRead(t *testing.T) {
	t.Parallel()
	reader := uuid.New()
	for name, call := range map[string]func(*testing.T, pgx.Tx){
		"subscribe": func(t *testing.T, tx pgx.Tx) {
			_, err := tx.Exec(t.Context(), "select tasker.unsubscribe('all'); select tasker.subscribe('all')")
			require.NoError(t, err)
		},
		"read": func(t *testing.T, tx pgx.Tx) { require.NotEmpty(t, drain(t, tx, reader, 10)) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pool := newFeed(t, executor.FeedFilter{})
			tx, err := pool.Begin(t.Context())
			require.NoError(t, err)
			_, err = tx.Exec(t.Context(), "select pg_current_xact_id()")
			require.NoError(t, err)
			create(t, pool)
			call(t, tx)
			task := create(t, tx)
			require.NoError(t, tx.Commit(t.Context()))
			require.Contains(t, tasksOf(drain(t, pool, reader, 10)), task)
		})
	}
}

func TestReadEvents_KeepTheOrderOfAStepThoughTheLaterTransactionHasTheLowerNumber(t *testing.T) {
	t.Parallel()
	pool := newFeed(t, executor.FeedFilter{})
	task := create(t, pool)
	reader := uuid.New()
	require.NotEmpty(t, drain(t, pool, reader, 100))

	low, err := pool.Begin(t.Context())
	require.NoError(t, err)
	_, err = low.Exec(t.Context(), "select pg_current_xact_id()")
	require.NoError(t, err)
	_, err = pool.Exec(t.Context(), "select from tasker.claim_steps('{shop}', gen_random_uuid(), 1)")
	require.NoError(t, err)
	_, err = low.Exec(t.Context(), `select from tasker.workflow_steps as s
		cross join lateral tasker.complete_steps(array[s.workflow_step_uuid], array[s.claim_no]) as a
		where s.task_uuid = $1 and s.step_no = 1`, task)
	require.NoError(t, err)
	require.NoError(t, low.Commit(t.Context()))

	var events []string
	for _, e := range drain(t, pool, reader, 1) {
		if e.StepName != nil && *e.StepName == "a" {
			events = append(events, e.Event)
		}
	}
	require.Equal(t, []string{"Start", "EnqueueForOrchestration", "Complete"}, events)
}

// Writers have open transactions, subtransactions and rollbacks, while readers start and stop, and some lose what they
// read. In the end every row of the logs has been read, and each log in order.
func TestReadEvents_MissNothingUnderLoad(t *testing.T) {
	t.Parallel()
	pool := newFeed(t, executor.FeedFilter{})
	var writers sync.WaitGroup
	for w := range 6 {
		writers.Go(func() {
			random := rand.New(rand.NewPCG(uint64(w), 18))
			for range 15 {
				if err := writeSomething(t.Context(), pool, random); err != nil {
					t.Error(err)
				}
			}
		})
	}
	done := make(chan struct{})
	go func() { writers.Wait(); close(done) }()

	seen := map[string]int32{}    // the newest sort_key of each log
	known := map[uuid.UUID]bool{} // the events that were read
	e := executor.New(pool)
	random := rand.New(rand.NewPCG(18, 18))
	reader := uuid.New()
	read := func() int {
		got, err := e.ReadEvents(t.Context(), sqlfn.ReadEventsParams{Subscription: "all", ReaderUUID: reader, Limit: 1 + random.Int32N(40), LeaseSeconds: 30})
		require.NoError(t, err)
		handled := len(got)
		if handled > 0 && random.IntN(4) == 0 {
			handled = random.IntN(handled) // the reader crashes in the middle of a batch
		}
		for _, event := range got[:handled] {
			log := fmt.Sprint(event.TaskUUID, event.WorkflowStepUUID == nil, event.StepName)
			if event.StepName != nil {
				log = event.TaskUUID.String() + *event.StepName
			}
			if !known[event.EventUUID] {
				last, ok := seen[log]
				require.True(t, !ok || event.SortKey == last+1, "%s: %d after %d", log, event.SortKey, last)
				seen[log] = event.SortKey
			}
			known[event.EventUUID] = true
		}
		if handled > 0 && random.IntN(3) > 0 {
			_, err = e.AcknowledgeEvents(t.Context(), sqlfn.AcknowledgeEventsParams{Subscription: "all", ReaderUUID: reader, Place: got[handled-1].Place, Events: int32(handled)})
			require.NoError(t, err)
		} else if len(got) > 0 {
			_, err := e.LeaveSubscription(t.Context(), "all", reader)
			require.NoError(t, err)
			reader = uuid.New()
		}
		return len(got)
	}
	for ended := false; ; {
		select {
		case <-done:
			ended = true
		default:
		}
		if read() == 0 && ended {
			break
		}
	}

	rows, err := pool.Query(t.Context(), `
		select task_transition_uuid from tasker.task_transitions
		union all
		select workflow_step_transition_uuid from tasker.workflow_step_transitions where sort_key > 0`)
	require.NoError(t, err)
	all, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
	require.NoError(t, err)
	require.NotEmpty(t, all)
	for _, id := range all {
		require.True(t, known[id], "event %s was not read", id)
	}
	require.Len(t, known, len(all))
	require.Positive(t, replaytest.Recorded(t, pool))
}

func writeSomething(ctx context.Context, pool *pgxpool.Pool, random *rand.Rand) error {
	tx, err := pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback(ctx) }()
	const work = `with c as materialized (
		  select c.step_uuid, c.claim_no from tasker.claim_steps('{shop}', gen_random_uuid(), 5) as c
		)
		select from tasker.complete_steps(array(select step_uuid from c), array(select claim_no from c))`
	for range 1 + random.IntN(3) {
		nested, err := tx.Begin(ctx)
		if err != nil {
			return err
		}
		if _, err = nested.Exec(ctx, "select from tasker.create_task('shop', 'sale', '{}')"); err != nil {
			return err
		}
		if random.IntN(5) == 0 {
			err = nested.Rollback(ctx)
		} else {
			err = nested.Commit(ctx)
		}
		if err != nil {
			return err
		}
	}
	if random.IntN(8) > 0 {
		if err := tx.Commit(ctx); err != nil {
			return err
		}
	}
	_, err = pool.Exec(ctx, work)
	return err
}

func TestSubscribe_GivesEventsAgainUntilTheyAreHandled(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	_, err := pool.Exec(t.Context(), `select tasker.register_task_template(
		'{"namespace": "shop", "name": "sale", "identity_strategy": "always_unique", "steps": [{"name": "a"}]}')`)
	require.NoError(t, err)
	config := executor.SubscribeConfig{
		Subscription: "mine", Filter: &executor.FeedFilter{Events: []string{"Create"}}, Batch: 1, PollInterval: time.Millisecond,
	}
	failed := errors.New("no")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ready := make(chan error, 1)
	_, err = executor.New(pool).Subscribe(ctx, sqlfn.SubscribeParams{Subscription: "mine", Filter: json.RawMessage(`{"events": ["Create"]}`)})
	require.NoError(t, err)
	want := []uuid.UUID{create(t, pool), create(t, pool), create(t, pool)}
	go func() {
		ready <- executor.NewClient(pool).Feed().Consume(ctx, config, func(context.Context, []executor.FeedEvent) error { return failed })
	}()
	require.ErrorIs(t, <-ready, failed)

	var got []uuid.UUID
	err = executor.NewClient(pool).Feed().Consume(ctx, config, func(_ context.Context, events []executor.FeedEvent) error {
		got = append(got, tasksOf(events)...)
		if len(got) == len(want) {
			cancel()
		}
		return nil
	})
	require.NoError(t, err)
	require.Equal(t, want, got)
}

func TestSubscribe_ReturnsWhatIsRefused(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	err := executor.NewClient(pool).Feed().Consume(t.Context(), executor.SubscribeConfig{Subscription: "nothing"}, nil)
	require.ErrorIs(t, err, executor.ErrNotFound)
	err = executor.NewClient(pool).Feed().Consume(t.Context(), executor.SubscribeConfig{Subscription: "A", Filter: &executor.FeedFilter{}}, nil)
	require.ErrorIs(t, err, executor.ErrInvalid)
}

// A subscription that begins under load gets every event that was committed after it, and none from before.
func TestSubscribe_InAStormGetsAllFromItsInstantOn(t *testing.T) {
	t.Parallel()
	pool := newFeed(t, executor.FeedFilter{})
	logged := func() map[uuid.UUID]bool {
		rows, err := pool.Query(t.Context(), `
			select task_transition_uuid from tasker.task_transitions
			union all
			select workflow_step_transition_uuid from tasker.workflow_step_transitions where sort_key > 0`)
		require.NoError(t, err)
		all, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
		require.NoError(t, err)
		known := map[uuid.UUID]bool{}
		for _, id := range all {
			known[id] = true
		}
		return known
	}
	var writers sync.WaitGroup
	begun := make(chan struct{}, 100)
	for w := range 6 {
		writers.Go(func() {
			random := rand.New(rand.NewPCG(uint64(w), 181))
			for range 12 {
				if err := writeSomething(t.Context(), pool, random); err != nil {
					t.Error(err)
				}
				begun <- struct{}{}
			}
		})
	}
	for range 20 {
		<-begun
	}
	before := logged()
	_, err := executor.New(pool).Subscribe(t.Context(), sqlfn.SubscribeParams{Subscription: "late", Filter: []byte("{}")})
	require.NoError(t, err)
	after := logged()
	writers.Wait()

	got := map[uuid.UUID]bool{}
	last := map[string]int32{}
	ctx, enough := context.WithCancel(t.Context())
	defer enough()
	all := logged()
	must := 0
	for id := range all {
		if !after[id] {
			must++
		}
	}
	require.Positive(t, must, "some events begin after the subscription")
	missing := must
	err = executor.NewClient(pool).Feed().Consume(ctx, executor.SubscribeConfig{Subscription: "late", Batch: 17, PollInterval: time.Millisecond},
		func(_ context.Context, events []executor.FeedEvent) error {
			for _, e := range events {
				require.False(t, before[e.EventUUID], "the event is older than the subscription")
				require.False(t, got[e.EventUUID], "the event is delivered twice")
				got[e.EventUUID] = true
				if !after[e.EventUUID] {
					missing--
				}
				log := e.TaskUUID.String()
				if e.StepName != nil {
					log += *e.StepName
				}
				if sort, ok := last[log]; ok {
					require.Equal(t, sort+1, e.SortKey, log)
				}
				last[log] = e.SortKey
			}
			if missing == 0 {
				enough()
			}
			return nil
		})
	require.NoError(t, err)
	require.Zero(t, missing)
	require.Positive(t, replaytest.Recorded(t, pool))
}

// TestSubscribe_BearsAnOutageAtItsStart subscribes while the server refuses connections.
func TestSubscribe_BearsAnOutageAtItsStart(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	proxy := faultproxy.Postgres(t, pool)
	log := &lockedLog{}
	proxy.Refuse(true)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		ended <- executor.NewClient(proxy.Pool(t)).Feed().Consume(ctx, executor.SubscribeConfig{
			Subscription: "late", Filter: &executor.FeedFilter{}, Logger: slog.New(slog.NewTextHandler(log, nil)),
		}, func(context.Context, []executor.FeedEvent) error { return nil })
	}()
	require.Eventually(t, func() bool { return strings.Contains(log.String(), "the database does not answer") }, time.Minute, 10*time.Millisecond)
	proxy.Heal()
	require.Eventually(t, func() bool {
		var found bool
		err := pool.QueryRow(t.Context(), "select exists (select from tasker.subscriptions where subscription = 'late')").Scan(&found)
		return err == nil && found
	}, time.Minute, 10*time.Millisecond)
	require.Eventually(t, func() bool { return strings.Contains(log.String(), "the database answers again") }, time.Minute, 10*time.Millisecond)
	cancel()
	require.NoError(t, <-ended)
	require.Equal(t, 2, strings.Count(log.String(), "\n"), log.String())
}

// lockedLog is a log that may be read while it is written.
type lockedLog struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *lockedLog) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(line)
}

func (l *lockedLog) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}
