package worker_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/worker"
)

// counter counts the queries that begin with a name of sqlc.
type counter struct {
	mu    sync.Mutex
	calls map[string]int
}

func (c *counter) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	if rest, named := strings.CutPrefix(data.SQL, "-- name: "); named {
		name, _, _ := strings.Cut(rest, " ")
		c.mu.Lock()
		defer c.mu.Unlock()
		c.calls[name]++
	}
	return ctx
}

func (c *counter) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

func (c *counter) of(name string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.calls[name]
}

// The elements of a map have their task's context, and the result above, from one call each. A handler may change what it gets.
func TestMap_ElementsLoadALargeContextAndResultOnce(t *testing.T) {
	t.Parallel()
	const elements, text = 400, 300_000
	pool := pgtest.New(t)
	e := executor.New(pool)
	_, err := e.RegisterTaskTemplate(t.Context(), json.RawMessage(`{"namespace": "shop", "name": "shared", "steps": [
		{"name": "make"}, {"name": "each", "for_each": "$.lines", "dependencies": ["make"]}, {"name": "join", "dependencies": ["each"]}]}`))
	require.NoError(t, err)
	given, err := json.Marshal(map[string]any{"lines": make([]int, elements), "text": strings.Repeat("x", text), "list": []int{1, 2}})
	require.NoError(t, err)
	task, err := e.CreateTask(t.Context(), executor.TaskRequest{Namespace: "shop", Name: "shared", Context: given})
	require.NoError(t, err)

	counted := &counter{calls: map[string]int{}}
	config := pool.Config().Copy()
	config.ConnConfig.Tracer = counted
	traced, err := pgxpool.NewWithConfig(t.Context(), config)
	require.NoError(t, err)
	t.Cleanup(traced.Close)
	w, err := worker.New(traced, worker.Config{Namespaces: []string{"shop"}})
	require.NoError(t, err)
	type made struct{ Text, Changed string }
	worker.Handle(w, "make", func(context.Context, *worker.Job[any]) (made, error) {
		return made{Text: strings.Repeat("y", text)}, nil
	})
	worker.Handle(w, "each", func(_ context.Context, job *worker.Job[map[string]any]) (int, error) {
		above, err := worker.Result[*made](job, "make")
		if err != nil {
			return 0, err
		}
		list := job.Input["list"].([]any)
		if list[0] != 1.0 || above.Changed != "" || job.Input["mine"] != nil {
			return 0, worker.Permanent(fmt.Errorf("another element has changed what this one got"))
		}
		list[0], above.Changed, job.Input["mine"] = 7, "yes", true
		return len(job.Input["text"].(string)) + len(above.Text), nil
	})
	worker.Handle(w, "join", func(_ context.Context, job *worker.Job[any]) (int, error) {
		sums, err := worker.Result[[]int](job, "each")
		sum := 0
		for _, one := range sums {
			sum += one
		}
		return sum, err
	})
	ctx, stop := context.WithCancel(t.Context())
	running := make(chan error, 1)
	go func() { running <- w.Run(ctx) }()
	ended, err := executor.NewClient(pool).Tasks().Wait(t.Context(), task.TaskUUID)
	stop()
	require.NoError(t, <-running)
	require.NoError(t, err)
	require.True(t, ended.Complete)
	results, err := e.GetTaskResult(t.Context(), task.TaskUUID, []string{"join"})
	require.NoError(t, err)
	require.Contains(t, string(results), fmt.Sprint(elements*2*text))
	// A worker that begins while the first load is under way waits for it; only the steps above and below the map load their own.
	require.LessOrEqual(t, counted.of("GetTask"), 1, "the context is loaded once")
	require.LessOrEqual(t, counted.of("GetParentResults"), 3, "the result above is loaded once, and the array for the join")
}
