package outage

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"
)

// lines returns the log's lines without their times.
func lines(log *bytes.Buffer) []string {
	var all []string
	for line := range strings.Lines(log.String()) {
		_, line, _ = strings.Cut(line, " ")
		all = append(all, strings.TrimSpace(line))
	}
	return all
}

func watch() (*Watch, *bytes.Buffer) {
	log := &bytes.Buffer{}
	return New(slog.New(slog.NewTextHandler(log, nil))), log
}

func TestWatch_AnOutageIsALineAtItsBeginningAndAtItsEnd(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w, log := watch()
		for range 90 {
			w.Failed("recording results", errors.New("connection refused"))
			w.Failed("heartbeat", context.DeadlineExceeded)
			time.Sleep(time.Second)
		}
		w.Worked("heartbeat")
		w.Worked("heartbeat")
		require.Equal(t, []string{
			`level=WARN msg="the database does not answer; trying again" error="connection refused"`,
			`level=WARN msg="the database does not answer; trying again" error="connection refused" for=1m0s`,
			`level=INFO msg="the database answers again" after=1m30s`,
		}, lines(log))
		require.False(t, w.Troubled())
	})
}

func TestWatch_ARightIsSaidOnceAndEndsWithItsOwnCalls(t *testing.T) {
	t.Parallel()
	w, log := watch()
	w.Failed("recording results", &pgconn.PgError{Code: "42501", Message: "permission denied"})
	w.Failed("recording results", &pgconn.PgError{Code: "42501", Message: "permission denied"})
	w.Worked("heartbeat")
	require.Len(t, lines(log), 1)
	require.Contains(t, log.String(), "recording results is refused until the set-up is mended")
	require.Contains(t, log.String(), "grant the login")
	w.Worked("recording results")
	require.Contains(t, log.String(), "recording results works again")
}

func TestPause_EndsWithTheFirstCallThatWorks(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w, _ := watch()
		w.Failed("a", errors.New("cut"))
		begun := time.Now()
		go func() {
			time.Sleep(time.Second)
			w.Worked("b")
		}()
		w.Pause(t.Context(), time.Hour)
		require.Equal(t, time.Second, time.Since(begun))
		w.Pause(t.Context(), time.Minute)
		require.Equal(t, time.Minute+time.Second, time.Since(begun))
	})
}
