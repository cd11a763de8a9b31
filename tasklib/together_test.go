package tasklib_test

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/tasklib"
)

// Calls that come while one is under way share a transaction, and one that is refused fails its own caller only.
func TestSubmit_CallersTravelTogether(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t, pgtest.MaxConns(4))
	client := newClient(t, pool, tasklib.Config{})
	task := tasklib.MustRegister(client, "add", add, tasklib.Options{})
	require.NoError(t, client.Sync(t.Context()))

	const calls = 300
	var all sync.WaitGroup
	ids := make([]string, calls)
	for i := range calls {
		all.Go(func() {
			s, err := task.Submit(t.Context(), pool, numbers{i, 1}, tasklib.SubmitOptions{Priority: 3})
			require.NoError(t, err)
			require.True(t, s.Created)
			ids[i] = s.ID.String()
		})
	}
	all.Wait()
	require.Equal(t, calls, query[int](t, pool, "select count(*) from tasklib.tasks where priority = 3"))
	require.Less(t, query[int](t, pool, "select count(distinct xmin::text) from tasklib.tasks"), calls, "no two callers shared a transaction")
	for i, id := range ids {
		require.Equal(t, i, query[int](t, pool, "select (kwargs ->> 'a')::int from tasklib.tasks where id = '"+id+"'"), "each caller has its own task")
	}

	unknown := tasklib.MustRegister(newClient(t, pool, tasklib.Config{}), "unknown", add, tasklib.Options{})
	for range 10 {
		all.Go(func() {
			_, err := unknown.Submit(t.Context(), pool, numbers{1, 1})
			require.ErrorIs(t, err, executor.ErrNotFound)
		})
	}
	all.Wait()
}
