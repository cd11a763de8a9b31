package serve_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/serve"
)

// A system whose workers use HTTP only is kept: two servers do the duties, of which one at a time does one.
func TestServe_DoesThePeriodicDuties(t *testing.T) {
	t.Parallel()
	s := newSite(t, serve.Config{})
	s.execute(t, shop)
	other := newSiteOn(t, s.admin, serve.Config{})
	reads := newSiteOn(t, s.admin, serve.Config{NoMaintenance: true})
	const undone = "select count(*)::int from tasker.list_maintenance_duties() where worker_duty and runs = 0"
	require.Positive(t, query[int](t, s, undone))
	workers := []httpWorker{newHTTPWorker(t, s, "a"), newHTTPWorker(t, other, "b"), newHTTPWorker(t, reads, "c")}
	require.Eventually(t, func() bool {
		for _, w := range workers {
			w.exchange(t, `, "limit": 1`)
		}
		return query[int](t, s, undone) == 0
	}, within, 50*time.Millisecond)
	require.Zero(t, query[int](t, s, "select sum(failures)::int from tasker.list_maintenance_duties()"))
	require.NotContains(t, s.log.String()+other.log.String(), "periodic dut")
}
