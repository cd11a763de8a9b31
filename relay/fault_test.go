package relay

import (
	"context"
	"log/slog"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/faultproxy"
)

// Events are delivered at least once and in their order, whatever happens to the relay's connections, and it stops in time.
func TestRun_BearsFaultsOfItsConnections(t *testing.T) {
	t.Parallel()
	pool := database(t, `{"rabbitmq": {"queue": "x"}}`)
	proxy := faultproxy.Postgres(t, pool)
	box := newInbox()
	config := Config{
		Targets: map[string]Open{"rabbitmq": box.open}, Lease: time.Second, within: time.Second, Logger: slog.New(slog.DiscardHandler),
		PollInterval: 5 * time.Millisecond, ListInterval: 10 * time.Millisecond, FirstRetry: 5 * time.Millisecond,
	}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- Run(ctx, proxy.Pool(t), config) }()
	var want []uuid.UUID
	delivered := func() (tasks []uuid.UUID) {
		box.lock.Lock()
		defer box.lock.Unlock()
		for _, event := range box.events {
			if !slices.Contains(tasks, event.TaskUUID) {
				tasks = append(tasks, event.TaskUUID)
			}
		}
		return tasks
	}
	for _, fault := range []func(){
		func() { proxy.Cut() },
		func() { proxy.CutAfter(50) },
		func() { proxy.HalfClose() },
		func() { proxy.Forget() },
		func() { proxy.Delay(20 * time.Millisecond) },
		func() { proxy.Heal() },
	} {
		want = append(want, create(t, pool))
		fault()
		want = append(want, create(t, pool))
		require.Eventually(t, func() bool { return len(delivered()) == len(want) }, time.Minute, 5*time.Millisecond, "events are missing")
	}
	require.Equal(t, want, delivered())

	proxy.Silence(true)
	stop()
	select {
	case err := <-done:
		require.NoError(t, err)
	case <-time.After(10 * time.Second):
		require.Fail(t, "it does not stop within ten seconds")
	}
}
