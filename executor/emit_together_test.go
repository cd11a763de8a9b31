package executor_test

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/internal/pgtest"
)

func paid(key, idempotencyKey string) executor.Event {
	return executor.Event{Namespace: "shop", Name: "paid", Key: key, Payload: json.RawMessage(fmt.Sprintf(`{"k": %q}`, key)), IdempotencyKey: idempotencyKey}
}

type emitted struct {
	gen.EmittedEvent
	err error
}

// Calls that come while one is stuck share a transaction. A call whose idempotency key another transaction holds, and an event that cancels
// a locked task, wait by themselves. A call that cannot be done fails its own caller only.
func TestEmitEvent_CallersTravelTogether(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t, pgtest.MaxConns(30))
	e := executor.New(pool)
	_, err := e.RegisterTaskTemplate(t.Context(), json.RawMessage(`{"namespace": "shop", "name": "order", "identity_strategy": "caller_provided",
		"cancel_on": {"event": "withdrawn"}, "steps": [{"name": "only"}]}`))
	require.NoError(t, err)
	task, err := e.CreateTask(t.Context(), executor.TaskRequest{Namespace: "shop", Name: "order", IdentityKey: "A"})
	require.NoError(t, err)
	tx, err := pool.Begin(t.Context())
	require.NoError(t, err)
	t.Cleanup(func() { _ = tx.Rollback(context.WithoutCancel(t.Context())) })
	held, err := executor.New(tx).EmitEvent(t.Context(), paid("held", "held"))
	require.NoError(t, err)
	_, err = tx.Exec(t.Context(), "select from tasker.tasks as t where t.task_uuid = $1 for update", task.TaskUUID)
	require.NoError(t, err)

	answers := make(map[string]chan emitted)
	call := func(ctx context.Context, name string, event executor.Event) {
		answers[name] = make(chan emitted, 1)
		go func() {
			got, err := executor.New(pool).EmitEvent(ctx, event)
			answers[name] <- emitted{got, err}
		}()
	}
	stuck := func(n int) {
		require.Eventually(t, func() bool {
			var waits int
			err := pool.QueryRow(t.Context(), `select count(*) from pg_stat_activity as a
				where a.datname = current_database() and a.wait_event_type = 'Lock'`).Scan(&waits)
			return err == nil && waits == n
		}, time.Minute, time.Millisecond)
	}
	call(t.Context(), "stuck", paid("held", "held"))
	call(t.Context(), "withdraws", executor.Event{Namespace: "shop", Name: "withdrawn", Key: "A"})
	stuck(2)
	cancelled, cancel := context.WithCancel(t.Context())
	for i := range 12 {
		call(t.Context(), fmt.Sprint("keyed ", i), paid(fmt.Sprint(i), fmt.Sprint(i)))
		call(t.Context(), fmt.Sprint("plain ", i), paid(fmt.Sprint("plain ", i), ""))
	}
	call(t.Context(), "twice", paid("3", "3"))
	call(t.Context(), "bad", executor.Event{Namespace: "shop", Name: "$bad"})
	call(cancelled, "cancelled", paid("cancelled", ""))
	cancel()
	repeated := 0
	for _, kind := range []string{"keyed", "plain"} {
		for i := range 12 {
			got := <-answers[fmt.Sprint(kind, " ", i)]
			require.NoError(t, got.err)
			if got.Repeated {
				repeated++
			}
			// Each caller has the answer to its own event.
			found, err := e.GetEvent(t.Context(), got.EventUUID)
			require.NoError(t, err)
			require.Equal(t, map[string]string{"keyed": "", "plain": "plain "}[kind]+fmt.Sprint(i), found.Key)
		}
	}
	twice := <-answers["twice"]
	require.NoError(t, twice.err)
	if twice.Repeated {
		repeated++
	}
	require.Equal(t, 1, repeated, "one of two calls with an idempotency key is the repeat")
	require.ErrorIs(t, (<-answers["bad"]).err, executor.ErrInvalid)
	if got := <-answers["cancelled"]; got.err != nil {
		require.ErrorIs(t, got.err, context.Canceled)
	}
	require.Empty(t, answers["stuck"], "its idempotency key is held")
	require.NoError(t, tx.Commit(t.Context()))
	last := <-answers["stuck"]
	require.NoError(t, last.err)
	require.Equal(t, gen.EmittedEvent{EventUUID: held.EventUUID, Repeated: true}, last.EmittedEvent)
	if got := <-answers["withdraws"]; got.err != nil {
		require.ErrorIs(t, got.err, executor.ErrConflict, "a task that stays locked for 5 s refuses the event")
	}

	var transactions, events int
	require.NoError(t, pool.QueryRow(t.Context(),
		"select count(distinct b.xmin::text), count(*) from tasker.broadcasts as b where b.key ~ '^(plain )?[0-9]+$'").Scan(&transactions, &events))
	require.Equal(t, 24, events)
	require.Less(t, transactions, 24, "no two callers shared a transaction")
}

// A pool of one connection, and callers that end while they wait.
func TestEmitEvent_TravelsOverAPoolOfOne(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t, pgtest.MaxConns(1))
	_, err := pool.Exec(t.Context(), "select from tasker.register_namespace('shop')")
	require.NoError(t, err)
	var all sync.WaitGroup
	for i := range 30 {
		all.Go(func() {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if i%10 == 9 {
				cancel()
			}
			got, err := executor.New(pool).EmitEvent(ctx, paid(fmt.Sprint(i), ""))
			if i%10 == 9 {
				require.ErrorIs(t, err, context.Canceled)
				return
			}
			require.NoError(t, err)
			require.False(t, got.Repeated)
		})
	}
	all.Wait()
	_, err = executor.New(pool).EmitEvent(t.Context(), executor.Event{Namespace: "missing", Name: "paid"})
	require.ErrorIs(t, err, executor.ErrNotFound)
}
