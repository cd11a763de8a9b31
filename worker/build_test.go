package worker_test

import (
	"context"
	"strings"
	"testing"

	"github.com/pgtasker/pgtasker/worker"

	"github.com/stretchr/testify/require"
)

func TestRun_SaysThatTheDatabaseWasMadeByAnotherBuild(t *testing.T) {
	t.Parallel()
	s := open(t, map[string]string{"order": diamond})
	work := func() string {
		log := &journal{}
		w := newWorker(t, s.pool, worker.Config{Logger: log.logger()})
		done := make(chan struct{}, 4)
		handleAll(w, func(context.Context, *worker.Job[none]) (none, error) {
			done <- struct{}{}
			return none{}, nil
		})
		s.create("order", "{}")
		r := start(t, w)
		for range 4 {
			receive(t, done)
		}
		r.stop()
		require.NoError(t, r.ended())
		return log.String()
	}
	require.NotContains(t, work(), "another build")
	_, err := s.pool.Exec(t.Context(), `update tasker.schema_builds set files = files || E'functions/more 0123456789abcdef\n'`)
	require.NoError(t, err)
	require.Equal(t, 1, strings.Count(work(), "the database was made by another build of pgtasker"), "once")
}
