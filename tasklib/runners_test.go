package tasklib

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/tasklib/gen"
)

// A runner that is about to take a task must not keep others from being started: a claim brings one task at first, and then as many
// as there are places. Each round has a worker of its own, because a worker keeps its runners.
func TestRunners_TakeWhatIsClaimedAtOnce(t *testing.T) {
	t.Parallel()
	const places = 3
	client := NewClient(nil, Config{})
	began, end := make(chan struct{}), make(chan struct{})
	MustRegister(client, "wait", func(context.Context, struct{}) (int, error) {
		began <- struct{}{}
		<-end
		return 0, nil
	}, Options{})
	for range 100 {
		w := client.NewWorker(WorkerConfig{Concurrency: places})
		w.lock = time.Minute
		go w.startRunners()
		for _, claim := range []int{1, places} {
			for range claim {
				w.claimed <- w.hold(t.Context(), gen.ClaimedTask{ID: uuid.New(), Name: "wait", Kwargs: []byte("{}")})
			}
			signal(w.queued)
			for n := range claim {
				select {
				case <-began:
				case <-time.After(30 * time.Second):
					require.Fail(t, "functions run one after the other", "%d of %d run", n, claim)
				}
			}
			for range claim {
				end <- struct{}{}
			}
			if claim == places {
				break
			}
			signal(w.queued) // in vain: when it is received the starter of runners is idle
			require.Eventually(t, func() bool { return w.heldCount() == 0 && w.idle.Load() > 0 && len(w.queued) == 0 }, 10*time.Second, time.Microsecond)
		}
		close(w.leave)
		close(w.claimed)
		<-w.started
		w.running.Wait()
	}
}
