package pagetest

import (
	"os"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// moved counts the bytes that a tab receives: the answers as they were sent, with their headers, and the events of streams.
func (p *tab) moved(t *testing.T) *atomic.Int64 {
	t.Helper()
	bytes := &atomic.Int64{}
	chromedp.ListenTarget(p.ctx, func(event any) {
		switch e := event.(type) {
		case *network.EventLoadingFinished:
			bytes.Add(int64(e.EncodedDataLength))
		case *network.EventEventSourceMessageReceived:
			bytes.Add(int64(len(e.Data)+len(e.EventName)) + 20)
		}
	})
	p.run(t, network.Enable())
	return bytes
}

// An open tab moves at most 5 MB an hour beside a database at work: the first screen, an incident, a list and a task. The intervals are the
// real ones. PGTASKER_WATCH is the number of seconds, 30 by default.
func TestTab_MovesAtMostFiveMegabytesAnHour(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.execute(t, `select tasker.register_task_template('{"namespace": "shop", "name": "quick", "identity_strategy": "always_unique", "steps": [{"name": "broken", "retry": {"retryable": false}}]}')`)
	work := func() {
		s.execute(t, `select tasker.create_task('shop', 'quick', '{}'), tasker.create_task('shop', 'wide', '{}')`)
		s.work(t, "broken", 1, "the disk is full")
		s.execute(t, `select count(*) from tasker.run_maintenance('incidents')`)
	}
	work()
	work()
	incident := s.query(t, `select i.incident from tasker.list_incidents() as i where i.kind = 'failing' and i.subject like '%broken%' limit 1`)
	seconds, err := strconv.Atoi(os.Getenv("PGTASKER_WATCH"))
	if err != nil {
		seconds = 30
	}
	type watched struct {
		name  string
		tab   *tab
		bytes *atomic.Int64
	}
	var tabs []watched
	for name, path := range map[string]string{"the first screen": "/ui", "an incident": "/ui/incidents/" + incident, "a list": "/ui/tasks", "a task": "/ui/tasks/" + s.every} {
		p := open(t, s.url, lightDesktop)
		p.login(t, s.token)
		p.visit(t, path)
		p.until(t, `document.querySelector(".live.on")`)
		tabs = append(tabs, watched{name, p, p.moved(t)})
	}
	begin := time.Now()
	for n := 0; time.Since(begin) < time.Duration(seconds)*time.Second; n++ {
		work()
		if n%15 == 0 {
			s.execute(t, seen)
		}
	}
	const saved, rate = 65536, 1300 // as page.js has them
	for _, w := range tabs {
		passed, bytes := time.Since(begin).Seconds(), w.bytes.Load()
		t.Logf("%s: %d bytes in %.0f s; an hour of this is %.2f MB", w.name, bytes, passed, float64(bytes)/passed*3600/1e6)
		require.NotZero(t, bytes, w.name)
		// A reading that begins with one byte left may overdraw, and the next one then waits longer.
		require.LessOrEqual(t, float64(bytes), saved+rate*passed+32768, w.name)
	}
	require.LessOrEqual(t, saved+rate*3600+32768, 5_000_000, "an hour at the bound")
}
