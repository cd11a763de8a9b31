package faulttest

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/faultproxy"
)

// cost is the resources that a process holds, and the processor time that it has used.
type cost struct {
	threads, files, kilobytes int // goroutines and heap of this process
	used                      time.Duration
}

// own returns the resources of this process.
func own(t *testing.T) cost {
	t.Helper()
	runtime.GC()
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	var usage syscall.Rusage
	require.NoError(t, syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return cost{
		threads: runtime.NumGoroutine(), kilobytes: int(memory.HeapAlloc >> 10),
		used: time.Duration(usage.Utime.Nano() + usage.Stime.Nano()),
	}
}

// cost returns the resources of a client's process.
func (c *program) cost(t *testing.T) (used cost) {
	t.Helper()
	folder := fmt.Sprintf("/proc/%d/", c.process.Process.Pid)
	stat, err := os.ReadFile(folder + "stat")
	require.NoError(t, err)
	fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
	number := func(field int) int { // as proc(5) counts them
		n, err := strconv.Atoi(fields[field-3])
		require.NoError(t, err)
		return n
	}
	files, err := os.ReadDir(folder + "fd")
	require.NoError(t, err)
	const ticks = 100 // clock ticks per second
	return cost{
		threads: number(20), files: len(files), kilobytes: number(24) * os.Getpagesize() >> 10,
		used: time.Duration(number(14)+number(15)) * time.Second / ticks,
	}
}

// passes lets some time pass.
func passes(t *testing.T, d time.Duration) {
	t.Helper()
	at := time.Now()
	until(t, "time passes", func() bool { return time.Since(at) >= d }, func() string { return "" })
}

// TestFaults_IdleClientsCostLittle measures the resources of idle clients and of a server, and the work of clients that are cut off. It
// runs before the parallel tests.
func TestFaults_IdleClientsCostLittle(t *testing.T) {
	const period = 2 * time.Second
	const lease = 2 * time.Second
	before := own(t)
	s := newSuite(t, clients(), lease, 4)
	s.serve(t)
	s.release()
	s.recorded(t, 1)
	until(t, "the clients sleep", func() bool {
		return query[int](t, s.site, "select count(*)::integer from pg_stat_activity as a where a.usename = $1 and a.state <> 'idle'", s.login) == 0
	}, func() string { return "sessions are active" })
	direct := 0 // programs that are connected to the database: to claim, to hear of cancellations, for leases, for the rest of their calls
	for _, c := range s.all {
		if p, other := c.(*program); other && p.direct {
			direct++
		}
	}
	// Each pool has up to four connections, and each client except the relay has one to listen. A proxy has three goroutines for each
	// connection, and for the nine connections between the programs over HTTP and their server.
	connections := 4*4 + 3 + 5*direct
	goroutines := func() int { return 4*12 + 3*(s.proxy.Open()+9) }
	until(t, "leases' connections are closed, after a lease", func() bool {
		return s.proxy.Open() <= connections && runtime.NumGoroutine()-before.threads <= goroutines()
	}, func() string {
		return fmt.Sprintf("%d connections, %d goroutines", s.proxy.Open(), runtime.NumGoroutine())
	})
	passes(t, lease)

	processes := map[string]cost{}
	idle := own(t)
	each := func(do func(c *program)) {
		for _, c := range s.all {
			if h, other := c.(*program); other {
				do(h)
			}
		}
	}
	each(func(c *program) { processes[c.name] = c.cost(t) })
	passes(t, period)
	after := own(t)
	t.Logf("in Go, idle: %d goroutines, %d KiB, %s of CPU time in %s, %d connections",
		after.threads-before.threads, after.kilobytes-before.kilobytes, after.used-idle.used, period, s.proxy.Open())
	require.LessOrEqual(t, s.proxy.Open(), connections)
	require.LessOrEqual(t, after.threads-before.threads, goroutines()+3) // one connection may end while it is counted
	require.Less(t, after.kilobytes-before.kilobytes, 8<<10)
	require.Less(t, after.used-idle.used, period/4)
	each(func(c *program) {
		now := c.cost(t)
		t.Logf("%s, idle: %d threads, %d files, %d KiB, %s of CPU time", c.name, now.threads, now.files, now.kilobytes, now.used-processes[c.name].used)
		require.LessOrEqual(t, now.threads, 24)
		require.LessOrEqual(t, now.files, 40)
		require.Less(t, now.kilobytes, 160<<10)
		require.Less(t, now.used-processes[c.name].used, period/4)
		processes[c.name] = now
	})

	s.each(refuse.begin)
	s.said(t, away)
	accepted, cut := s.proxy.Accepted(), own(t)
	each(func(c *program) { processes[c.name] = c.cost(t) })
	passes(t, period)
	after = own(t)
	t.Logf("in Go, cut off: %d goroutines, %d KiB, %s of CPU time, %d attempts to connect",
		after.threads-before.threads, after.kilobytes-before.kilobytes, after.used-cut.used, s.proxy.Accepted()-accepted)
	require.LessOrEqual(t, s.proxy.Accepted()-accepted, 14*(4+direct), "attempts of the clients")
	require.LessOrEqual(t, after.threads-before.threads, 4*15)
	require.Less(t, after.kilobytes-before.kilobytes, 8<<10)
	require.Less(t, after.used-cut.used, period/4)
	each(func(c *program) {
		now := c.cost(t)
		require.Less(t, now.used-processes[c.name].used, period/4, c.name)
		require.LessOrEqual(t, now.files, processes[c.name].files+4, c.name)
		require.Less(t, now.kilobytes, processes[c.name].kilobytes+16<<10, c.name)
	})
	for _, c := range s.all {
		at := time.Now()
		require.NoError(t, c.Stop(), "nothing is owed")
		require.Less(t, time.Since(at), 4*time.Second, "an idle client stops at once: %s", c.Name())
	}
	s.each((*faultproxy.Proxy).Heal)
}
