package howto_test

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/worker"
)

func done(context.Context, *worker.Job[struct{}]) (string, error) { return "done", nil }

func TestNamespaces_AWorkerServesItsOwn(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	for _, name := range []string{"billing", "shipping", "other"} {
		register(t, pool, `{"namespace": "`+name+`", "name": "it", "steps": [{"name": "do"}]}`)
	}
	w, err := worker.New(pool, worker.Config{Namespaces: []string{"billing", "shipping"}})
	require.NoError(t, err)
	worker.Handle(w, "do", done)
	running(t, w)
	other, err := executor.New(pool).CreateTask(t.Context(), executor.TaskRequest{Namespace: "other", Name: "it"})
	require.NoError(t, err)
	for _, name := range []string{"billing", "shipping"} {
		task, err := executor.New(pool).CreateTask(t.Context(), executor.TaskRequest{Namespace: name, Name: "it"})
		require.NoError(t, err)
		require.Equal(t, "complete", outcome(t, pool, task.TaskUUID))
	}
	left, err := executor.New(pool).GetTask(t.Context(), other.TaskUUID)
	require.NoError(t, err)
	require.EqualValues(t, 1, left.OpenSteps)
}

func TestPooler_AWorkerPolls(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	task := create(t, pool, `[{"name": "a"}, {"name": "b", "dependencies": ["a"]}]`, `{}`)
	w, err := worker.New(pool, worker.Config{
		PollOnly:     true,
		PollInterval: 500 * time.Millisecond, // how long an idle worker waits; default 1 s
	})
	require.NoError(t, err)
	worker.Handle(w, "a", done)
	worker.Handle(w, "b", done)
	running(t, w)
	require.Equal(t, "complete", outcome(t, pool, task))
}

func TestPooler_AWorkerListensPastIt(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	directURL := pgtest.URL(pool) + "&application_name=past_the_pooler"
	w, err := worker.New(pool, worker.Config{
		Connect: func(ctx context.Context) (*pgx.Conn, error) { return pgx.Connect(ctx, directURL) },
	})
	require.NoError(t, err)
	worker.Handle(w, "a", done)
	running(t, w)
	require.Equal(t, "complete", outcome(t, pool, create(t, pool, `[{"name": "a"}]`, `{}`)))
	require.Eventually(t, func() bool {
		var listening bool
		err := pool.QueryRow(t.Context(), `select exists (select from pg_stat_activity
			where datname = current_database() and application_name = 'past_the_pooler')`).Scan(&listening)
		return err == nil && listening
	}, 30*time.Second, 10*time.Millisecond)
}
