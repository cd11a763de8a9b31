package howto_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgtest"
)

// docs/feed.md
func TestFeed_TellsThatATaskHasEnded(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t, pgtest.MaxConns(4))
	register(t, pool, `{"namespace": "guide", "name": "order", "identity_strategy": "always_unique", "steps": [{"name": "pay"}]}`)
	_, failed := pool.Exec(t.Context(), `select tasker.subscribe('billing')`) // So that the events of the task belong to it.
	require.NoError(t, failed)
	complete, failed := executor.New(pool).CreateTask(t.Context(), executor.TaskRequest{Namespace: "guide", Name: "order"})
	require.NoError(t, failed)
	_, failed = pool.Exec(t.Context(), `select tasker.complete_steps(array[c.step_uuid], array[c.claim_no]) from tasker.claim_steps('{guide}', gen_random_uuid()) as c`)
	require.NoError(t, failed)
	called, failed := executor.New(pool).CreateTask(t.Context(), executor.TaskRequest{Namespace: "guide", Name: "order"})
	require.NoError(t, failed)
	_, failed = pool.Exec(t.Context(), `select tasker.cancel_task($1, 'called off', 'ann')`, called.TaskUUID)
	require.NoError(t, failed)

	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	invoiced := map[uuid.UUID]string{}
	invoice := func(_ context.Context, _, task uuid.UUID, state string) error {
		invoiced[task] = state
		if len(invoiced) == 2 {
			cancel()
		}
		return nil
	}
	err := executor.NewClient(pool).Feed().Consume(ctx, executor.SubscribeConfig{
		Subscription: "billing",
		Filter:       &executor.FeedFilter{Kinds: []string{"task"}, ToStates: []string{"complete", "error", "cancelled", "resolved_manually"}},
	}, func(ctx context.Context, events []executor.FeedEvent) error {
		for _, event := range events {
			if err := invoice(ctx, event.EventUUID, event.TaskUUID, event.ToState); err != nil {
				return err
			}
		}
		return nil
	})
	require.NoError(t, err)
	require.Equal(t, map[uuid.UUID]string{complete.TaskUUID: "complete", called.TaskUUID: "cancelled"}, invoiced)
}

func TestFeed_RefusesAnEventThatATaskDoesNotHave(t *testing.T) {
	t.Parallel()
	err := executor.NewClient(pgtest.New(t)).Feed().Consume(t.Context(), executor.SubscribeConfig{
		Subscription: "billing", Filter: &executor.FeedFilter{Kinds: []string{"task"}, Events: []string{"Create", "Complete"}},
	}, func(context.Context, []executor.FeedEvent) error { return nil })
	require.ErrorIs(t, err, executor.ErrInvalid)
	require.ErrorContains(t, err, `a task has no event "Complete"`)
}
