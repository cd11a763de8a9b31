package listen_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/listen"
	"github.com/pgtasker/pgtasker/internal/pgtest"
)

// notes plays the database's side of marks, and records its calls in the ear.
type notes struct {
	*ear
	off   bool    // whether notifications are off
	open  []int64 // transactions
	error error
}

func (n *notes) MarkSleeping(context.Context, *pgx.Conn, int32) (bool, error) {
	n.write("sleeping")
	n.mu.Lock()
	defer n.mu.Unlock()
	return !n.off, n.error
}

func (n *notes) MarkAwake(context.Context, *pgx.Conn) error {
	n.write("awake")
	return nil
}

func (n *notes) OpenWriters(_ context.Context, _ *pgx.Conn, writers []int64) ([]int64, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if writers == nil {
		return slices.Clone(n.open), nil
	}
	return slices.DeleteFunc(slices.Clone(writers), func(w int64) bool { return !slices.Contains(n.open, w) }), nil
}

// marking runs test in a bubble of time in which a listener with marks runs.
func marking(t *testing.T, change func(s *server, n *notes), test func(s *server, n *notes, l *listen.Listener)) (log string) {
	var n *notes
	var running *listen.Listener
	return bubble(t, func(s *server, l *listen.Listener) {
		n, running = &notes{ear: l.Hearer.(*ear)}, l
		l.Marks = n
		change(s, n)
	}, func(s *server, _ *ear) { test(s, n, running) })
}

func unchanged(*server, *notes) {}

func TestListener_MarksBeforeItsHearerQueriesAndRenewsTheMark(t *testing.T) {
	t.Parallel()
	log := marking(t, unchanged, func(s *server, n *notes, _ *listen.Listener) {
		time.Sleep(45 * time.Second)
		require.Equal(t, []string{"0s sleeping", "0s connected", "20s sleeping", "30s polled", "40s sleeping"}, n.takes())
		require.Equal(t, []string{"select pg_backend_pid()", "-- ping", `listen "news"`, "-- ping"}, s.last().queries())
	})
	require.Empty(t, log)
}

func TestListener_QueriesAgainWheneverAnOpenWriterHasEnded(t *testing.T) {
	t.Parallel()
	marking(t, func(_ *server, n *notes) { n.open = []int64{7, 9} }, func(_ *server, n *notes, _ *listen.Listener) {
		time.Sleep(160 * time.Millisecond)
		require.Equal(t, []string{"0s sleeping", "0s connected"}, n.takes(), "both writers are still open after 25 and 75 ms")
		n.set(func() { n.open = []int64{9} })
		time.Sleep(20 * time.Millisecond)
		require.Equal(t, []string{"175ms polled"}, n.takes())
		time.Sleep(3 * time.Second)
		require.Empty(t, n.takes())
		n.set(func() { n.open = []int64{12} })
		time.Sleep(250 * time.Millisecond)
		require.Len(t, n.takes(), 1, "the end of a writer is noticed within 250 ms")
		n.set(func() { n.open = nil })
		time.Sleep(time.Second)
		require.Empty(t, n.takes(), "writer 12 began after the mark and is not waited for")
	})
}

func TestListener_TakesItsMarkBackWhileItsCallerIsBusy(t *testing.T) {
	t.Parallel()
	marking(t, unchanged, func(_ *server, n *notes, l *listen.Listener) {
		time.Sleep(5 * time.Second)
		n.takes()
		l.Sleep(false)
		time.Sleep(30 * time.Second)
		require.Equal(t, []string{"5s awake", "30s polled"}, n.takes(), "the mark is not renewed")
		n.set(func() { n.open = []int64{3} })
		l.Sleep(true)
		time.Sleep(10 * time.Millisecond)
		n.set(func() { n.open = nil })
		time.Sleep(time.Second)
		require.Equal(t, []string{"35s sleeping", "35s polled", "35.025s polled"}, n.takes(), "the listener queries as after its first mark")
	})
}

func TestListener_BeginsAnewWhenItsMarkHasEnded(t *testing.T) {
	t.Parallel()
	marking(t, unchanged, func(s *server, n *notes, l *listen.Listener) {
		time.Sleep(time.Second)
		n.takes()
		// The caller is held up during its call.
		n.set(func() { n.due = time.Now().Add(time.Second) })
		n.set(func() { n.hold = 40 * time.Second })
		s.last().notify("news", "one")
		time.Sleep(41 * time.Second)
		require.Equal(t, []string{"1s news: one", "41s passed", "41s sleeping", "41s polled", "41s polled"}[:4], n.takes()[:4])
	})
}

func TestListener_PollsOftenWhereNothingWakesIt(t *testing.T) {
	t.Parallel()
	refused := &pgconn.PgError{Code: "42501", Message: "permission denied for function mark_sleeping"}
	for what, test := range map[string]struct {
		change func(s *server, n *notes)
		want   []string
		log    string
	}{
		"a pooler": {
			func(s *server, _ *notes) { s.pooled = true }, []string{"500ms connected", "1.5s polled", "2.5s polled"}, "pooler",
		},
		"notifications are off": {
			func(_ *server, n *notes) { n.off = true }, []string{"0s sleeping", "0s connected", "1s polled", "2s polled"}, "",
		},
		"a role that may not": {
			func(_ *server, n *notes) { n.error = refused }, []string{"0s sleeping", "0s connected", "1s polled", "2s polled"}, "permission denied",
		},
		"a standby": {
			func(s *server, _ *notes) { s.recovers = true }, []string{"0s polled", "1s polled", "2s polled"}, "standby",
		},
	} {
		log := marking(t, test.change, func(s *server, n *notes, _ *listen.Listener) {
			time.Sleep(2700 * time.Millisecond)
			require.Equal(t, test.want, n.takes(), what)
			require.Len(t, s.waits(), map[bool]int{true: 1}[what == "a pooler"], what)
		})
		require.Contains(t, log, test.log, what)
	}
}

func TestListener_ListensAfterAPromotion(t *testing.T) {
	t.Parallel()
	marking(t, func(s *server, _ *notes) { s.recovers = true }, func(s *server, n *notes, _ *listen.Listener) {
		time.Sleep(1500 * time.Millisecond)
		n.takes()
		s.set(func() { s.recovers = false })
		time.Sleep(time.Second)
		require.Equal(t, []string{"2.05s sleeping", "2.05s connected"}, n.takes())
	})
}

func TestListener_LosesItsSessionWithAConnectionThatBreaksWhileItMarks(t *testing.T) {
	t.Parallel()
	log := marking(t, func(_ *server, n *notes) { n.error = errors.New("broken pipe") }, func(s *server, n *notes, _ *listen.Listener) {
		time.Sleep(10 * time.Millisecond)
		n.set(func() { n.error = nil })
		time.Sleep(time.Second)
		require.Equal(t, []string{"0s sleeping", "0s polled without connection", "50ms sleeping", "50ms connected"}, n.takes())
		require.Len(t, s.sessions, 2)
	})
	require.Contains(t, log, "broken pipe")
}

// renamed is a connection whose server process has another number than at the start of the connection, as behind a pooler.
type renamed struct {
	net.Conn
	done *atomic.Bool
}

func (c renamed) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if at := bytes.Index(p[:n], []byte("K\x00\x00\x00\x0c")); at >= 0 && at+9 <= n && c.done.CompareAndSwap(false, true) {
		p[at+5] ^= 1
	}
	return n, err
}

func TestListener_IsWokenThroughAPoolerThatKeepsItsSession(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	e := newEar()
	n := &notes{ear: e}
	log := &bytes.Buffer{}
	connect := func(ctx context.Context) (*pgx.Conn, error) {
		config := pool.Config().ConnConfig
		dial := config.DialFunc
		config.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
			conn, err := dial(ctx, network, address)
			return renamed{conn, new(atomic.Bool)}, err
		}
		return pgx.ConnectConfig(ctx, config)
	}
	l := &listen.Listener{
		Connect: connect, Channels: listen.Fixed("news"), PollInterval: time.Hour, Hearer: e, Marks: n,
		Logger: slog.New(slog.NewTextHandler(log, nil)),
	}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		l.Run(ctx)
	}()
	for what := ""; what != "connected"; what = <-e.heard {
	}
	_, err := pool.Exec(t.Context(), "notify news, 'today'")
	require.NoError(t, err)
	require.Equal(t, "news: today", <-e.heard)
	stop()
	<-done
	require.NotContains(t, log.String(), "pooler")
	require.Contains(t, strings.Join(n.takes(), "; "), "sleeping", "it marks itself, so that transactions notify")
}
