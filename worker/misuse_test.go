package worker_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/state"
	"github.com/pgtasker/pgtasker/worker"
)

func TestLog_OfAPanicHasItsStack(t *testing.T) {
	t.Parallel()
	s := open(t, map[string]string{"job": one})
	var log journal
	w := newWorker(t, s.pool, worker.Config{Logger: log.logger()})
	worker.Handle(w, "work", func(context.Context, *worker.Job[none]) (none, error) { return explode(nil), nil })
	start(t, w)
	s.wait(s.create("job", `{}`), state.TaskBlockedByFailures)
	log.says(t, `msg="a step failed"`)
	for line := range strings.Lines(log.String()) {
		if strings.Contains(line, "a step failed") {
			require.Contains(t, line, `error="panic: `)
			require.Regexp(t, `stack=.*handle_test\.go`, line)
		}
	}
}
