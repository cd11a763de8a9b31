package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest"
)

// liveRounds runs a number of rounds of a live screen and returns its output.
func liveRounds(t *testing.T, rounds int, set func(a *app), round func(a *app, n int) error) (out string, err error) {
	t.Helper()
	var buffer bytes.Buffer
	synctest.Test(t, func(t *testing.T) {
		a := newApp(Process{Out: &buffer, Err: &buffer, Getenv: func(name string) string { return map[string]string{"TZ": "UTC"}[name] }})
		set(a)
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		n := 0
		err = a.live(ctx, "tasker x", 2*time.Second, func(context.Context) error {
			if n++; n > rounds {
				stop()
				return context.Canceled
			}
			return round(a, n)
		})
	})
	return buffer.String(), err
}

func TestLive_PrintsPicturesOneAfterAnotherWithoutATerminal(t *testing.T) {
	t.Parallel()
	out, err := liveRounds(t, 2, func(*app) {}, func(a *app, n int) error { return a.out.Printf("round %d\n", n) })
	require.NoError(t, err)
	require.Equal(t, "2000-01-01 00:00:00Z  tasker x, every 2s\nround 1\n\n2000-01-01 00:00:02Z  tasker x, every 2s\nround 2\n", out)
}

func TestLive_RedrawsThePictureOnATerminal(t *testing.T) {
	t.Parallel()
	out, err := liveRounds(t, 2, func(a *app) {
		a.out.Cursor, a.out.Terminal, a.out.Width, a.out.Height = true, true, 30, 5
	}, func(a *app, n int) error { return a.out.Print(strings.Repeat("a line\n", 3*n)) })
	require.NoError(t, err)
	require.Equal(t, "\x1b[?25l\x1b[2J\x1b[H2000-01-01 00:00:00Z  tasker …\x1b[K\n\x1b[K\na line\x1b[K\n… 2 lines more\x1b[K\n\x1b[J"+
		"\x1b[H2000-01-01 00:00:02Z  tasker …\x1b[K\n\x1b[K\na line\x1b[K\n… 5 lines more\x1b[K\n\x1b[J\x1b[?25h", out)
}

func TestLive_GoesOnAfterAnErrorThatIsNotTheFirst(t *testing.T) {
	t.Parallel()
	failure := &problem{Exit: exitUnreachable, Message: "the database cannot be reached"}
	out, err := liveRounds(t, 3, func(*app) {}, func(a *app, n int) error {
		if n == 2 {
			return failure
		}
		return a.out.Printf("round %d\n", n)
	})
	require.NoError(t, err)
	require.Contains(t, out, "tasker: the database cannot be reached\n")
	require.Contains(t, out, "round 3\n")

	_, err = liveRounds(t, 3, func(*app) {}, func(*app, int) error { return failure })
	require.ErrorIs(t, err, failure)
}

// signalled is a buffer that signals when it contains a text.
type signalled struct {
	mu   sync.Mutex
	text bytes.Buffer
	want string
	seen chan struct{}
}

func (s *signalled) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n, err := s.text.Write(p)
	if s.want != "" && strings.Contains(s.text.String(), s.want) {
		close(s.seen)
		s.want = ""
	}
	return n, err
}

func TestWatch_ShowsAListAgainUntilItIsInterrupted(t *testing.T) {
	t.Parallel()
	pool := newShop(t)
	first := createTask(t, pool, "shop/order")
	out := &signalled{want: short(first), seen: make(chan struct{})}
	ctx, stop := context.WithCancel(t.Context())
	code := make(chan int)
	go func() {
		code <- Main(ctx, Process{
			Args: strings.Fields("task list --watch=100ms --json"), In: strings.NewReader(""), Out: out, Err: out,
			Getenv: func(name string) string { return map[string]string{"DATABASE_URL": pgtest.URL(pool)}[name] },
		})
	}()
	<-out.seen
	second := createTask(t, pool, "shop/order", "-c", `{"n": 2}`)
	out.mu.Lock()
	out.want, out.seen = short(second), make(chan struct{})
	seen := out.seen
	out.mu.Unlock()
	<-seen
	stop()
	require.Equal(t, exitDone, <-code, "being interrupted is its normal end")
	for line := range strings.Lines(out.text.String()) {
		var tasks []any
		require.NoError(t, json.Unmarshal([]byte(line), &tasks), "each picture is a line of JSON")
	}
}

func TestWatch_RefusesATooShortTime(t *testing.T) {
	t.Parallel()
	pool := newShop(t)
	r := tasker(t, pool, "task", "list", "--watch=1ms")
	require.Equal(t, result{exitUsage, "", "tasker: --watch is at least 100ms\n"}, r)
}

func TestTop_ShowsRatesFromItsSecondPictureOn(t *testing.T) {
	t.Parallel()
	pool, task := newBlocked(t)
	createTask(t, pool, "shop/order", "-c", `{"n": 2}`)
	out := must(t, pool, "top", "--once")
	require.Contains(t, out, "tasks  1 active, 1 blocked\nsteps  1 ready, 1 failed\nrates  …\n")
	require.Regexp(t, `(?m)^`+short(task)+`  reserve  0s   no stock$`, out)

	written := &signalled{want: `"tasks_created":0,`, seen: make(chan struct{})}
	ctx, stop := context.WithCancel(t.Context())
	code := make(chan int)
	go func() {
		code <- Main(ctx, Process{
			Args: strings.Fields("top --every 100ms --json"), In: strings.NewReader(""), Out: written, Err: written,
			Getenv: func(name string) string { return map[string]string{"DATABASE_URL": pgtest.URL(pool)}[name] },
		})
	}()
	<-written.seen
	stop()
	require.Equal(t, exitDone, <-code)
}
