package worker

import (
	"context"
	"log/slog"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/messaging"
)

// slowLane is a queue whose next message comes after a delay.
type slowLane struct {
	messaging.Queue
	after time.Duration // 0: no message comes
}

func (s *slowLane) Receive(ctx context.Context, _ int) ([]messaging.Delivery, error) {
	if s.after == 0 {
		<-ctx.Done()
		return nil, context.Cause(ctx)
	}
	if err := pause(ctx, s.after); err != nil {
		return nil, err
	}
	return []messaging.Delivery{{Receipt: "a message"}}, nil
}

// lanes returns a function that receives messages from lanes with these delays. It returns the lanes of the messages that
// came, in order, and how long that took.
func lanes(t *testing.T, free int) func(fast, normal time.Duration) ([]int, time.Duration) {
	t.Helper()
	queues := []*slowLane{{}, {}, {}}
	c := &courier{run: &run{log: slog.New(slog.DiscardHandler)}, ctx: t.Context()}
	for _, q := range queues {
		c.queues = append(c.queues, q)
	}
	return func(fast, normal time.Duration) ([]int, time.Duration) {
		queues[0].after, queues[1].after = fast, normal
		began := time.Now()
		parcels, err := c.receive(free)
		require.NoError(t, err)
		var came []int
		for _, p := range parcels {
			for lane, q := range queues {
				if p.queue == messaging.Queue(q) {
					came = append(came, lane)
				}
			}
		}
		return came, time.Since(began)
	}
}

func TestReceive_TimeWithoutMessagesIsNoSlowness(t *testing.T) {
	t.Parallel()
	for name, round := range map[string]struct {
		free         int
		fast, normal time.Duration
	}{
		"of one lane":      {10, 100 * time.Millisecond, 0},
		"for long":         {10, 5 * time.Second, 0},
		"of both":          {10, 5*time.Second + time.Millisecond, 5 * time.Second},
		"with one handler": {1, 5 * time.Second, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				receive := lanes(t, round.free)
				for range 2 {
					came, _ := receive(round.fast, round.normal)
					require.Contains(t, came, 0)
				}
				came, took := receive(0, time.Millisecond)
				require.Equal(t, []int{1}, came)
				require.Equal(t, time.Millisecond+graceOfLanes, took)
			})
		})
	}
}

func TestReceive_WaitsForTheFastLaneOfASlowBroker(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		receive := lanes(t, 1)
		for range 2 {
			came, _ := receive(60*time.Millisecond, 70*time.Millisecond)
			require.Equal(t, []int{0}, came)
		}
		came, took := receive(110*time.Millisecond, 50*time.Millisecond)
		require.Equal(t, []int{0, 1}, came)
		require.Equal(t, 110*time.Millisecond, took)
	})
}

func TestReceive_TakesTheFastLaneFirstAndStarvesNone(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		queues := []messaging.Queue{&slowLane{after: time.Millisecond}, &slowLane{after: time.Millisecond}, &slowLane{after: time.Millisecond}}
		c := &courier{run: &run{log: slog.New(slog.DiscardHandler)}, ctx: t.Context(), queues: queues}
		var first []int
		for range 24 {
			parcels, err := c.receive(1)
			require.NoError(t, err)
			first = append(first, slices.Index(queues, parcels[0].queue))
		}
		twelve := []int{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 2}
		require.Equal(t, slices.Concat(twelve, twelve), first)
	})
}
