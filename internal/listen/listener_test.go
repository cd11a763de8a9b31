package listen_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/listen"
	"github.com/pgtasker/pgtasker/internal/pgtest"
)

const within = 30 * time.Second

// ear is a hearer that records its calls, and their times since its beginning.
type ear struct {
	born time.Time

	mu         sync.Mutex
	told       []string
	due        time.Time
	connectErr error
	pollErr    error
	hold       time.Duration // how long the next notification keeps it busy

	heard chan string // recorded notifications; a test need not read them
}

func newEar() *ear { return &ear{born: time.Now(), heard: make(chan string, 1000)} }

func (e *ear) write(what string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.told = append(e.told, fmt.Sprintf("%s %s", time.Since(e.born), what))
	e.heard <- what
}

// takes returns the calls since the last take.
func (e *ear) takes() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	told := e.told
	e.told = nil
	return told
}

func (e *ear) set(change func()) {
	e.mu.Lock()
	defer e.mu.Unlock()
	change()
}

func (e *ear) Connected(context.Context, *pgx.Conn) error {
	e.write("connected")
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.connectErr
}

func (e *ear) Notified(_ context.Context, n *pgconn.Notification) {
	e.write(n.Channel + ": " + n.Payload)
	e.mu.Lock()
	hold := e.hold
	e.hold = 0
	e.mu.Unlock()
	time.Sleep(hold)
}

func (e *ear) Polled(_ context.Context, conn *pgx.Conn) error {
	e.write(map[bool]string{true: "polled", false: "polled without connection"}[conn != nil])
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.pollErr
}

func (e *ear) Due() time.Time {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.due
}

func (e *ear) Passed(context.Context) {
	e.write("passed")
	e.set(func() { e.due = time.Time{} })
}

// bubble runs test in a bubble of time while a listener runs. The listener ends after the test.
func bubble(t *testing.T, change func(s *server, l *listen.Listener), test func(s *server, e *ear)) (log string) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s, e, text := &server{t: t}, newEar(), &bytes.Buffer{}
		l := &listen.Listener{
			Connect: s.connect, Channels: listen.Fixed("news"), PollInterval: 30 * time.Second, Hearer: e,
			Logger: slog.New(slog.NewTextHandler(text, nil)),
		}
		change(s, l)
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() {
			defer close(done)
			l.Run(ctx)
		}()
		test(s, e)
		cancel()
		<-done
		log = text.String()
	})
	return log
}

func asIs(*server, *listen.Listener) {}

func TestListener_TellsWhatItHearsAndPollsAllTheWhile(t *testing.T) {
	t.Parallel()
	log := bubble(t, asIs, func(s *server, e *ear) {
		time.Sleep(10 * time.Second)
		s.last().notify("news", "one")
		s.last().notify("news", "two")
		time.Sleep(55 * time.Second)
		require.Equal(t, []string{"0s connected", "10s news: one", "10s news: two", "30s polled", "1m0s polled"}, e.takes())
		require.Equal(t, []string{"-- ping", `listen "news"`, "-- ping", "-- ping"}, s.last().queries())
		require.Len(t, s.sessions, 1)
	})
	require.Empty(t, log)
}

func TestListener_CallsWhatIsDueBeforeThePoll(t *testing.T) {
	t.Parallel()
	bubble(t, func(_ *server, l *listen.Listener) {
		e := l.Hearer.(*ear)
		e.due = e.born.Add(3 * time.Second)
	}, func(_ *server, e *ear) {
		time.Sleep(time.Minute - time.Second)
		require.Equal(t, []string{"0s connected", "3s passed", "30s polled"}, e.takes())
	})
}

func TestListener_FindsASilentDeathByItsPoll(t *testing.T) {
	t.Parallel()
	log := bubble(t, asIs, func(s *server, e *ear) {
		time.Sleep(10 * time.Second)
		s.last().fallSilent()
		s.last().notify("news", "lost on the way")
		time.Sleep(19 * time.Second)
		require.Equal(t, []string{"0s connected"}, e.takes(), "the listener has not noticed the loss yet")
		time.Sleep(14 * time.Second) // the poll, and the time until it gives up its answer
		require.Equal(t, []string{"40.05s connected"}, e.takes(), "the hearer is told of the new connection")
		s.last().notify("news", "heard again")
		synctest.Wait()
		require.Equal(t, []string{"43s news: heard again"}, e.takes())
	})
	require.Contains(t, log, "listening was interrupted")
}

func TestListener_PollsWithoutAConnectionWhileItTriesToGetOne(t *testing.T) {
	t.Parallel()
	bubble(t, func(s *server, l *listen.Listener) {
		s.refusing, l.PollInterval = true, 5*time.Second
	}, func(s *server, e *ear) {
		time.Sleep(21 * time.Second)
		require.Equal(t, []string{
			"0s polled without connection", "5s polled without connection", "10s polled without connection",
			"15s polled without connection", "20s polled without connection",
		}, e.takes())
		ms := time.Millisecond
		require.Equal(t, []time.Duration{
			50 * ms, 100 * ms, 200 * ms, 400 * ms, 800 * ms, 1600 * ms, 3200 * ms, 5000 * ms, 5000 * ms,
		}, s.waits(), "each is twice the last, up to 5 s")

		s.set(func() { s.refusing = false })
		time.Sleep(time.Second)
		require.Equal(t, []string{"21.35s connected"}, e.takes())
		require.NoError(t, s.last().pipe.Close())
		time.Sleep(time.Second)
		require.Equal(t, []string{"22.05s connected"}, e.takes(), "the next wait after a success is short")
	})
}

func TestListener_WaitsNoLongerThanItsMaximum(t *testing.T) {
	t.Parallel()
	bubble(t, func(s *server, l *listen.Listener) {
		s.refusing, l.MaxReconnectDelay = true, 80*time.Millisecond
	}, func(s *server, _ *ear) {
		time.Sleep(300 * time.Millisecond)
		ms := time.Millisecond
		require.Equal(t, []time.Duration{50 * ms, 80 * ms, 80 * ms, 80 * ms}, s.waits())
	})
}

func TestListener_WithoutConnectOnlyPolls(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		looked time.Duration // how long ago the caller queried by itself
		want   []string
	}{
		{time.Hour, []string{"0s polled without connection", "30s polled without connection", "1m0s polled without connection"}},
		{10 * time.Second, []string{"20s polled without connection", "50s polled without connection"}},
	} {
		log := bubble(t, func(_ *server, l *listen.Listener) {
			l.Connect, l.Channels = nil, nil
			l.LastPoll = time.Now().Add(-test.looked)
		}, func(s *server, e *ear) {
			time.Sleep(70 * time.Second)
			require.Equal(t, test.want, e.takes())
			require.Empty(t, s.sessions)
		})
		require.Empty(t, log)
	}
}

func TestListener_ConnectsAgainWhenItsHearerCannotGoOn(t *testing.T) {
	t.Parallel()
	log := bubble(t, func(_ *server, l *listen.Listener) { l.Hearer.(*ear).connectErr = errors.New("cannot catch up") },
		func(s *server, e *ear) {
			time.Sleep(10 * time.Millisecond)
			require.Equal(t, []string{"0s connected", "0s polled without connection"}, e.takes())
			e.set(func() { e.connectErr, e.pollErr = nil, errors.New("cannot look") })
			time.Sleep(30 * time.Second)
			require.Equal(t, []string{"50ms connected"}, e.takes())
			time.Sleep(200 * time.Millisecond)
			require.Equal(t, []string{"30.05s polled", "30.1s connected"}, e.takes())
			require.Len(t, s.sessions, 3)
		})
	require.Contains(t, log, "cannot catch up")
	require.Contains(t, log, "cannot look")
}

func TestListener_EndsWithItsContextAndSaysGoodbye(t *testing.T) {
	t.Parallel()
	var one *session
	bubble(t, asIs, func(s *server, _ *ear) {
		synctest.Wait()
		one = s.last()
	})
	one.mu.Lock()
	defer one.mu.Unlock()
	require.True(t, one.closed)
}

// open runs a listener on a database until the test ends.
func open(t *testing.T, pool *pgxpool.Pool, every time.Duration, channels func() []string) (*ear, <-chan uint32) {
	t.Helper()
	e, pids := newEar(), make(chan uint32, 10)
	l := &listen.Listener{
		Connect: func(ctx context.Context) (*pgx.Conn, error) {
			conn, err := pgx.ConnectConfig(ctx, pool.Config().ConnConfig)
			if err == nil {
				pids <- conn.PgConn().PID()
			}
			return conn, err
		},
		Channels:     func(context.Context, *pgx.Conn) ([]string, error) { return channels(), nil },
		PollInterval: every, Hearer: e, Logger: slog.New(slog.DiscardHandler),
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		l.Run(ctx)
	}()
	t.Cleanup(func() {
		cancel()
		<-done
	})
	return e, pids
}

// next returns the next call.
func (e *ear) next(t *testing.T) string {
	t.Helper()
	select {
	case what := <-e.heard:
		return what
	case <-time.After(within):
		require.FailNow(t, "the hearer is told nothing")
		return ""
	}
}

// nextBut returns the next call except the unwanted call.
func (e *ear) nextBut(t *testing.T, unwanted string) string {
	t.Helper()
	for {
		if what := e.next(t); what != unwanted {
			return what
		}
	}
}

func notify(t *testing.T, pool *pgxpool.Pool, channel, payload string) {
	t.Helper()
	_, err := pool.Exec(t.Context(), "select pg_notify($1, $2)", channel, payload)
	require.NoError(t, err)
}

func TestListener_ListensToChannelsThatAreNamedLater(t *testing.T) {
	t.Parallel()
	pool := pgtest.NewEmpty(t)
	var mu sync.Mutex
	channels := []string{"first.Channel"}
	e, pids := open(t, pool, 10*time.Millisecond, func() []string {
		mu.Lock()
		defer mu.Unlock()
		return channels
	})
	require.Equal(t, "connected", e.next(t))
	notify(t, pool, "second; channel", "before a client listens")
	for range 3 {
		require.Equal(t, "polled", e.next(t), "a poll without new channels only polls")
	}
	mu.Lock()
	channels = append(channels, "second; channel")
	mu.Unlock()
	require.Equal(t, "connected", e.nextBut(t, "polled"), "a notification before the subscription reaches no client")
	notify(t, pool, "second; channel", "a")
	require.Equal(t, "second; channel: a", e.nextBut(t, "polled"))
	notify(t, pool, "first.Channel", "b")
	require.Equal(t, "first.Channel: b", e.nextBut(t, "polled"))
	require.Len(t, pids, 1, "all on one connection")
}

func TestListener_OpensAConnectionAgainThatIsCut(t *testing.T) {
	t.Parallel()
	pool := pgtest.NewEmpty(t)
	e, pids := open(t, pool, time.Hour, func() []string { return []string{"news"} })
	for round := range 3 {
		require.Equal(t, "connected", e.nextBut(t, "polled without connection"))
		notify(t, pool, "news", fmt.Sprint(round))
		require.Equal(t, fmt.Sprintf("news: %d", round), e.next(t))
		_, err := pool.Exec(t.Context(), "select pg_terminate_backend($1)", int32(<-pids))
		require.NoError(t, err)
	}
	require.Equal(t, "connected", e.next(t))
}

func TestFunc_IsToldOfNotificationsAndWhenThereMayBeMore(t *testing.T) {
	t.Parallel()
	var told []string
	bubble(t, func(_ *server, l *listen.Listener) {
		l.Hearer = listen.Func(func(n *pgconn.Notification) {
			if n == nil {
				told = append(told, "there may be more")
			} else {
				told = append(told, n.Payload)
			}
		})
	}, func(s *server, _ *ear) {
		time.Sleep(40 * time.Second)
		s.last().notify("news", "one")
		synctest.Wait()
		require.Equal(t, []string{"there may be more", "there may be more", "one"}, told, "the function is called at first and at the poll")
	})
}

// If a client begins to wait for something else on the same channel, its marks are made again and it is called as for a new
// channel. It does not listen twice.
func TestListener_MakesItsMarksAgainAtOnce(t *testing.T) {
	t.Parallel()
	var l *listen.Listener
	log := bubble(t, func(_ *server, listener *listen.Listener) { l = listener }, func(s *server, e *ear) {
		time.Sleep(10 * time.Second)
		l.Remark()
		time.Sleep(5 * time.Second)
		require.Equal(t, []string{"0s connected", "10s connected"}, e.takes())
		require.Equal(t, []string{"-- ping", `listen "news"`, "-- ping"}, s.last().queries())
	})
	require.Empty(t, log)
}
