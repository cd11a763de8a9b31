package worker

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/direct"
)

func TestAhead_FastHandlersDoNotWaitForExchanges(t *testing.T) {
	t.Parallel()
	d := newDesk(3000)
	d.takes = 5 * time.Millisecond
	require.NoError(t, at(t, d, Config{Concurrency: 10}, work(finish), func(w *Worker) { time.Sleep(10 * time.Second) }))
	require.Len(t, d.results, 3000)
	require.Less(t, len(d.sizes), 200, "3,000 results take fewer than 200 exchanges")
	require.LessOrEqual(t, d.most, (1+2*aheadFactor)*10, "the steps in hand are bounded")
}

func TestAhead_NothingIsClaimedAheadOfSlowHandlers(t *testing.T) {
	t.Parallel()
	d := newDesk(300)
	d.takes = 5 * time.Millisecond
	require.NoError(t, at(t, d, Config{Concurrency: 10}, work(func(context.Context, *Job[nothing]) (nothing, error) {
		time.Sleep(100 * time.Millisecond)
		return nothing{}, nil
	}), func(*Worker) { time.Sleep(time.Minute) }))
	require.Len(t, d.results, 300)
	require.LessOrEqual(t, d.most, 2*10, "the steps in hand are bounded")
}

// TestAhead_WhatWaitsTooLongIsHandedBack has handlers that are fast until enough steps are claimed ahead, and slow after that.
func TestAhead_WhatWaitsTooLongIsHandedBack(t *testing.T) {
	t.Parallel()
	d := newDesk(1000)
	d.takes = 5 * time.Millisecond
	slow := false
	require.NoError(t, at(t, d, Config{Concurrency: 10}, work(func(context.Context, *Job[nothing]) (nothing, error) {
		var wait bool
		d.change(func() { wait = slow })
		if wait {
			time.Sleep(time.Minute)
		}
		return nothing{}, nil
	}), func(w *Worker) {
		time.Sleep(90 * time.Millisecond)
		d.change(func() { slow = true; require.Greater(t, len(d.held), 10) })
		time.Sleep(longestPatience + 100*time.Millisecond)
		d.change(func() { require.LessOrEqual(t, len(d.held), 10, "only what runs") })
		require.Positive(t, w.Stats().Released)
		require.EqualValues(t, 10, w.Stats().Running)
	}))
	require.Empty(t, d.held)
}

func TestAhead_WhatIsClaimedAheadIsHandedBackAtAStop(t *testing.T) {
	t.Parallel()
	d := newDesk(1000)
	d.takes = 5 * time.Millisecond
	begun := 0
	require.NoError(t, at(t, d, Config{Concurrency: 10}, work(func(context.Context, *Job[nothing]) (nothing, error) {
		d.change(func() { begun++ })
		time.Sleep(time.Millisecond)
		return nothing{}, nil
	}), func(*Worker) { time.Sleep(100 * time.Millisecond) }))
	require.Empty(t, d.held)
	require.Len(t, d.results, begun, "each step that has begun is completed")
	require.Len(t, d.ready, 1000-begun, "the other steps are handed back")
}

func TestLoop_ResultsOfHandlersThatEndTogetherGoTogether(t *testing.T) {
	t.Parallel()
	d := newDesk(5)
	require.NoError(t, at(t, d, Config{PollInterval: time.Hour}, work(func(context.Context, *Job[nothing]) (nothing, error) {
		time.Sleep(time.Millisecond)
		d.count() // calls follow one another
		return nothing{}, nil
	}), func(*Worker) { time.Sleep(time.Second) }))
	require.Equal(t, []string{"0+5", "5+0"}, d.sizes)
}

func TestAhead_EveryExchangeSaysWhichStepsWait(t *testing.T) {
	t.Parallel()
	d := newDesk(2000)
	d.takes = 5 * time.Millisecond
	waits := map[uuid.UUID]int{} // the number of waiting steps, by worker
	var ahead int
	var wrong []string
	d.before = func(exchange direct.Exchange) error {
		ahead = max(ahead, exchange.Ahead)
		switch {
		case exchange.Ahead > exchange.Limit:
			wrong = append(wrong, "more is claimed ahead than claimed")
		case exchange.Waiting == nil && waits[exchange.WorkerUUID] > 0:
			wrong = append(wrong, "what waited is forgotten")
		}
		waits[exchange.WorkerUUID] = exchange.Ahead + len(exchange.Waiting)
		return nil
	}
	require.NoError(t, at(t, d, Config{Concurrency: 10}, work(finish), func(*Worker) { time.Sleep(10 * time.Second) }))
	require.Len(t, d.results, 2000)
	require.Positive(t, ahead)
	require.Empty(t, wrong)
}
