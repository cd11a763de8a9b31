package faulttest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// jobsOfEach is how many jobs each client has under way when the fault begins.
const jobsOfEach = 5

// begin starts all clients with jobs of theirs, and returns when the jobs have begun.
func begin(t *testing.T, s *site, all []Client, lease time.Duration, connections int32) {
	t.Helper()
	for _, c := range all {
		c.Submit(t, s, jobsOfEach)
		c.Start(t, s, lease, connections)
	}
	for _, c := range all {
		until(t, c.Name()+"'s jobs begin", func() bool { return len(c.Begun()) == jobsOfEach }, c.Log)
	}
}

// requireRecorded fails the test unless each job of each client is recorded, and has begun once.
func requireRecorded(t *testing.T, s *site, all []Client) {
	t.Helper()
	for _, c := range all {
		until(t, c.Name()+"'s results are recorded", func() bool { return c.Recorded(t, s) == jobsOfEach },
			func() string { return fmt.Sprintf("%d of %d", c.Recorded(t, s), jobsOfEach) })
		for id, n := range c.Begun() {
			require.Equal(t, 1, n, "%s began job %s more than once", c.Name(), id)
		}
	}
}

// said waits until each client's log contains words.
func said(t *testing.T, all []Client, words string) {
	t.Helper()
	for _, c := range all {
		until(t, c.Name()+" says "+words, func() bool { return strings.Contains(c.Log(), words) }, c.Log)
	}
}

// TestFault_EveryFinishedResultIsRecordedOnce has jobs end during each fault. No fault lasts as long as a lease.
func TestFault_EveryFinishedResultIsRecordedOnce(t *testing.T) {
	t.Parallel()
	for _, fault := range faults {
		t.Run(fault.name, func(t *testing.T) {
			t.Parallel()
			s, all := newSite(t), clients()
			begin(t, s, all, 20*time.Second, 4)
			fault.begin(s.proxy)
			for _, c := range all {
				c.Release()
			}
			if fault.lasts {
				said(t, all, "the database does not answer")
				s.proxy.Heal()
				said(t, all, "the database answers again")
			}
			requireRecorded(t, s, all)
			for _, c := range all {
				require.NoError(t, c.Stop())
			}
		})
	}
}

// TestFault_ACutLongerThanALease_TheClientsOwnClaimDoesNotBeatItsResults lasts until every lease has ended. Each client is the only
// one of its kind, so that only its own claim could begin a job again.
func TestFault_ACutLongerThanALease_TheClientsOwnClaimDoesNotBeatItsResults(t *testing.T) {
	t.Parallel()
	for range 3 { // the clients' pauses differ
		s, all := newSite(t), clients()
		begin(t, s, all, 2*time.Second, 4)
		s.proxy.Refuse(true)
		s.proxy.Cut()
		for _, c := range all {
			c.Release()
		}
		for _, c := range all {
			until(t, c.Name()+"'s leases end", func() bool {
				return query[bool](t, s, "select now() > $1", c.LeasedUntil(t, s))
			}, c.Log)
		}
		s.proxy.Heal()
		requireRecorded(t, s, all)
	}
}

// TestSetup_WhatAPersonMendsIsKept has a DBA change something for the login while jobs end, and change it back when the logs say so.
func TestSetup_WhatAPersonMendsIsKept(t *testing.T) {
	t.Parallel()
	for _, m := range mistakes {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			s, all := newSite(t), clients()
			begin(t, s, all, 20*time.Second, 4)
			m.make(t, s)
			for _, c := range all {
				c.Release()
			}
			if m.name == "default_transaction_isolation" {
				said(t, all[:1], m.words) // tasklib records at every level
			} else {
				said(t, all, m.words)
			}
			m.mend(t, s)
			requireRecorded(t, s, all)
			for _, c := range all {
				lines := strings.Split(strings.TrimSpace(c.Log()), "\n")
				require.LessOrEqual(t, len(lines), 14, c.Log())
				require.NotContains(t, c.Log(), "the step fails")
			}
		})
	}
}
