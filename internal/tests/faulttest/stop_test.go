package faulttest

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// stopWithin is the longest stop that docs/worker.md promises beyond StopTimeout, whether or not the database answers. The
// second term is for a busy machine.
const stopWithin = 12*time.Second + 4*time.Second

// TestFaults_AStopEndsWhateverTheDatabaseDoes stops clients whose results are not recorded yet, while the database refuses
// connections or is silent.
func TestFaults_AStopEndsWhateverTheDatabaseDoes(t *testing.T) {
	t.Parallel()
	for _, f := range []fault{refuse, silence} {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			s := newSuite(t, clients(), 60*time.Second, 4)
			s.each(f.begin)
			s.release()
			at := time.Now()
			type ended struct {
				Client
				err error
			}
			stopped := make(chan ended, len(s.all))
			for _, c := range s.all {
				go func() { stopped <- ended{c, c.Stop()} }()
			}
			for range s.all {
				c := <-stopped
				err := c.err
				t.Logf("%s stops within %.1f s", c.Name(), time.Since(at).Seconds())
				require.Less(t, time.Since(at), 2*time.Second+stopWithin, c.Name())
				if _, relays := c.Client.(*relayClient); relays {
					require.NoError(t, err, "another relay delivers them again")
					continue
				}
				require.Error(t, err)
				require.Regexp(t, `\b4 r(esults|uns) could not be`, err.Error()+c.Log(), "%s counts what is lost", c.Name())
			}
		})
	}
}

// TestStop_ManyUnreportedRuns stops a tasklib worker that has claimed more runs than the channels of an earlier version
// could hold.
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
	// The answer to the last claim, of a hundred runs, may have been cut off before the worker had read it.
	require.Regexp(t, `\b3[01]00 runs could not be reported`, fmt.Sprint(c.Stop()))
	require.Less(t, time.Since(at), 2*time.Second+stopWithin)
}
