package faulttest

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/faultproxy"
	"github.com/pgtasker/pgtasker/internal/pgtest"
)

// TestMain runs more tests at the same time than there are processors, since the tests mostly wait for leases and
// bounds of time.
func TestMain(m *testing.M) {
	flag.Parse()
	_ = flag.Set("test.parallel", strconv.Itoa(4*runtime.GOMAXPROCS(0)))
	pgtest.Main(m)
}

// jobsOfEach is the number of jobs that each client has under way when a fault begins.
const jobsOfEach = 4

// suite runs all clients at the same time behind the proxies of a site, in one round after another. In a round jobs begin, a
// fault begins, the jobs end, and the fault ends.
type suite struct {
	*site
	all    []Client
	lease  time.Duration
	rounds int
}

func newSuite(t *testing.T, all []Client, lease time.Duration, connections int32) *suite {
	t.Helper()
	s := &suite{site: newSite(t), all: all, lease: lease}
	for _, c := range all {
		c.Start(t, s.site, lease, connections)
	}
	s.begin(t)
	return s
}

// begin creates jobs for all clients, and returns when they have begun. A target takes no longer than a lease, so the relay comes last.
func (s *suite) begin(t *testing.T) {
	t.Helper()
	s.rounds++
	for _, c := range s.all {
		c.Hold()
		c.Submit(t, s.site, jobsOfEach)
		until(t, c.Name()+"'s jobs begin", func() bool { return len(c.Begun()) == s.rounds*jobsOfEach }, c.Log)
	}
}

func (s *suite) release() {
	for _, c := range s.all {
		c.Release()
	}
}

// said waits until each client's log has the words for an event.
func (s *suite) said(t *testing.T, event string) {
	t.Helper()
	for _, c := range s.all {
		if words := c.Says(event); words != "" {
			until(t, c.Name()+" says "+words, func() bool { return strings.Contains(c.Log(), words) }, c.Log)
		}
	}
}

// recorded waits until each result is recorded. No job may have begun more than `most` times.
func (s *suite) recorded(t *testing.T, most int) {
	t.Helper()
	for _, c := range s.all {
		until(t, c.Name()+"'s results are recorded", func() bool { return c.Recorded(t, s.site) == s.rounds*jobsOfEach },
			func() string { return fmt.Sprintf("%d of %d", c.Recorded(t, s.site), s.rounds*jobsOfEach) })
		for id, n := range c.Begun() {
			require.LessOrEqual(t, n, most, "%s began job %s too often", c.Name(), id)
		}
	}
}

// stop ends the forgotten connections, for which a stopping client might wait. TestFaults_AStopEndsWhateverTheDatabaseDoes
// measures this wait.
func (s *suite) stop(t *testing.T) {
	t.Helper()
	s.each(func(p *faultproxy.Proxy) { p.Cut() })
	for _, c := range s.all {
		require.NoError(t, c.Stop(), c.Name())
	}
}

// meet has jobs end during a fault. `first` says that the clients' logs have not reported a fault before. After a report they
// are silent about further faults for a minute.
func (s *suite) meet(t *testing.T, f fault, first bool) {
	t.Helper()
	at := time.Now()
	s.each(f.begin)
	s.release()
	switch {
	case f.lasts && first:
		s.said(t, away)
	case f.lasts: // the logs are silent about this fault
		calls := s.proxy.Accepted() + s.proxy.Swallowed() + 3*len(s.all)
		until(t, "the clients call in vain", func() bool { return s.proxy.Accepted()+s.proxy.Swallowed() >= calls }, func() string { return f.name })
	}
	s.each((*faultproxy.Proxy).Heal)
	if f.lasts && first {
		s.said(t, back)
	}
	s.recorded(t, 1)
	t.Logf("%s: %.1f s", f.name, time.Since(at).Seconds())
}

// TestFaults_EveryFinishedResultIsRecordedOnce has the jobs of all clients end during each fault. No fault lasts as long as a lease,
// so no job begins twice.
func TestFaults_EveryFinishedResultIsRecordedOnce(t *testing.T) {
	t.Parallel()
	for name, faults := range map[string][]fault{"lost": lost, "silent": {silence}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSuite(t, clients(), 12*time.Second, 4)
			for i, f := range append(faults, further(t, faults)...) {
				if i > 0 {
					s.begin(t)
				}
				s.meet(t, f, i == 0)
			}
			s.stop(t)
		})
	}
}

// further returns the random faults of the long form. PGTASKER_FAULT_ROUNDS is their number.
func further(t *testing.T, faults []fault) (chosen []fault) {
	t.Helper()
	rounds, err := strconv.Atoi("0" + os.Getenv("PGTASKER_FAULT_ROUNDS"))
	require.NoError(t, err)
	for range rounds {
		chosen = append(chosen, faults[rand.N(len(faults))])
	}
	return chosen
}

// TestFaults_ACutLongerThanALease_RunsAJobOnceMoreAtMost lasts until every lease has ended. Each client is the only client of
// its kind, so only its own claim could begin a job again. The client first sends the results that are not recorded yet.
func TestFaults_ACutLongerThanALease_RunsAJobOnceMoreAtMost(t *testing.T) {
	t.Parallel()
	s := newSuite(t, clients(), 3*time.Second, 4)
	for round := range 3 { // the clients' pauses differ
		if round > 0 {
			s.begin(t)
		}
		s.each(refuse.begin)
		before := make([]map[uuid.UUID]int, len(s.all)) // On a very busy machine such a short lease may have ended, and a job has begun again.
		for i, c := range s.all {
			before[i] = c.Begun()
		}
		s.release()
		for _, c := range s.all {
			until(t, c.Name()+"'s leases end", func() bool { return query[bool](t, s.site, "select now() > $1", c.LeasedUntil(t, s.site)) }, c.Log)
		}
		s.each((*faultproxy.Proxy).Heal)
		s.recorded(t, math.MaxInt)
		for i, c := range s.all {
			require.Equal(t, before[i], c.Begun(), "%s began a job again", c.Name())
		}
	}
}

// TestFaults_WhatAPersonMendsIsKept has a DBA change a right or a setting of the logins while jobs end. The DBA undoes the
// change when the logs report it.
func TestFaults_WhatAPersonMendsIsKept(t *testing.T) {
	t.Parallel()
	s := newSuite(t, clients(), 20*time.Second, 4)
	for i, m := range mistakes {
		if i > 0 {
			s.begin(t)
		}
		at := time.Now()
		m.make(t, s.site)
		s.release()
		s.said(t, m.name)
		m.mend(t, s.site)
		s.recorded(t, 1)
		t.Logf("%s: %.1f s", m.name, time.Since(at).Seconds())
	}
	for _, c := range s.all {
		require.LessOrEqual(t, len(strings.Split(strings.TrimSpace(c.Log()), "\n")), 14*len(mistakes), c.Log())
		require.NotContains(t, c.Log(), "the step fails")
	}
}
