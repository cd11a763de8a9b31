package faulttest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/faultproxy"
)

// stopWithin is what docs/worker.md states: beyond StopTimeout, whatever the database does; with a little for a busy machine.
const stopWithin = 12*time.Second + 4*time.Second

// TestStop_EndsWhateverTheDatabaseDoes stops clients that owe results while the database refuses connections, or is silent.
func TestStop_EndsWhateverTheDatabaseDoes(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]func(p *faultproxy.DB){
		"refuse": func(p *faultproxy.DB) { p.Refuse(true); p.Cut() }, "silence": func(p *faultproxy.DB) { p.Silence(true) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSuite(t, inGo(), 60*time.Second, 4)
			fault(s.proxy)
			ended := make(chan error, len(s.all))
			at := time.Now()
			for _, c := range s.all {
				c.Release()
				go func() { ended <- c.Stop() }()
			}
			for range s.all {
				require.ErrorContains(t, <-ended, "5 r", "the error counts what is lost")
			}
			require.Less(t, time.Since(at), 2*time.Second+stopWithin)
		})
	}
}

// TestStop_ManyUnreportedRuns stops a tasklib worker that has claimed more than its channels of former days could hold.
func TestStop_ManyUnreportedRuns(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	c := newTasklib("tasklib")
	c.config.Concurrency, c.config.Prefetch = 100, 3000
	c.Submit(t, s, 3100)
	c.Start(t, s, 60*time.Second, 4)
	until(t, "all are claimed", func() bool {
		return query[int](t, s, "select count(*)::integer from tasklib.tasks as t where t.state = 'running'") == 3100
	}, c.Log)
	s.proxy.Refuse(true)
	s.proxy.Cut()
	c.Release()
	at := time.Now()
	require.ErrorContains(t, c.Stop(), "3100 runs could not be reported")
	require.Less(t, time.Since(at), 2*time.Second+stopWithin)
}
