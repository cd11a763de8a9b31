package worker_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/state"
	"github.com/pgtasker/pgtasker/worker"
)

// Two workers do not poll. They wake only for notifications and for the times that they ask for: a freed place of a limit
// or the next start of a rate.
func TestRun_WorkersShareTheLimitsOfTheirNamespace(t *testing.T) {
	t.Parallel()
	s := open(t, map[string]string{
		"job":   `[{"name": "work", "limit": "few"}]`,
		"rated": `[{"name": "rated", "limit": "rated"}]`,
	})
	_, err := s.pool.Exec(t.Context(), "select tasker.set_limit('shop', 'few', 2); select tasker.set_limit('shop', 'rated', null, 50)")
	require.NoError(t, err)
	var running, most, rated atomic.Int64
	for range 2 {
		w := newWorker(t, s.pool, worker.Config{PollInterval: time.Hour})
		worker.Handle(w, "work", func(context.Context, *worker.Job[none]) (none, error) {
			now := running.Add(1)
			for before := most.Load(); now > before && !most.CompareAndSwap(before, now); before = most.Load() {
			}
			running.Add(-1)
			return none{}, nil
		})
		worker.Handle(w, "rated", func(context.Context, *worker.Job[none]) (none, error) {
			rated.Add(1)
			return none{}, nil
		})
		start(t, w)
	}
	tasks := append(s.createMany("job", 40), s.createMany("rated", 25)...)
	for _, task := range tasks {
		s.wait(task, state.TaskComplete)
	}
	require.LessOrEqual(t, most.Load(), int64(2))
	require.Equal(t, int64(25), rated.Load())
}
