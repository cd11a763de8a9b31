package faulttest

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/relay"
)

// relayClient is a relay with a target in memory. A job is an event. The job begins when the relay hands the event to the
// target. Its result is recorded when the event is acknowledged.
type relayClient struct{ *jobs }

func newRelay(name string) *relayClient { return &relayClient{newJobs(name)} }

func (r *relayClient) Start(t *testing.T, s *site, lease time.Duration, connections int32) {
	t.Helper()
	pool := s.connect(t, connections)
	config := relay.Config{
		Targets: map[string]relay.Open{"rabbitmq": func(context.Context, string, json.RawMessage) (relay.Target, error) { return target{r.jobs}, nil }},
		Lease:   lease, PollInterval: 100 * time.Millisecond, ListInterval: 500 * time.Millisecond, Logger: r.logger(),
	}
	r.run(t, func(ctx context.Context) error { return relay.Run(ctx, pool, config) })
}

type target struct{ jobs *jobs }

// Deliver implements relay.Target.
func (d target) Deliver(ctx context.Context, events []executor.FeedEvent) (int, error) {
	wait := make(chan error, len(events))
	for _, event := range events {
		go func() { wait <- d.jobs.do(ctx, event.TaskUUID) }()
	}
	for range events {
		if err := <-wait; err != nil {
			return 0, err
		}
	}
	return len(events), nil
}

// Close implements relay.Target.
func (target) Close() error { return nil }

func (r *relayClient) Submit(t *testing.T, s *site, n int) {
	t.Helper()
	e := executor.New(s.pool)
	register(t, e, "events", "never")
	if len(r.Begun()) == 0 {
		_, err := e.Subscribe(t.Context(), sqlfn.SubscribeParams{
			Subscription: "made", Filter: json.RawMessage(`{"events": ["Create"], "namespaces": ["events"]}`),
			Target: json.RawMessage(`{"rabbitmq": {"queue": "x"}}`),
		})
		require.NoError(t, err)
	}
	create(t, e, "events", "{}", n)
}

func (r *relayClient) Recorded(t *testing.T, s *site) int {
	t.Helper()
	return query[int](t, s, "select coalesce(sum(s.delivered), 0)::integer from tasker.subscriptions as s")
}

func (r *relayClient) LeasedUntil(t *testing.T, s *site) time.Time {
	t.Helper()
	return query[time.Time](t, s, "select coalesce(min(s.leased_until), 'epoch') from tasker.subscriptions as s")
}
