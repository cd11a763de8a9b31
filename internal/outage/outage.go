// Package outage logs failing calls of the database without filling the log. It logs one line when a trouble begins, one line a
// minute while the trouble lasts, and one line when the trouble ends, with its length. The first call that works ends the
// pauses of all callers.
package outage

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/pgtasker/pgtasker/internal/listen"
	"github.com/pgtasker/pgtasker/internal/pgerr"
)

// repeatAfter is the time until a lasting trouble is logged again.
const repeatAfter = time.Minute

// Watch records the troubles of one client. Its methods may be called by any goroutine.
type Watch struct {
	// NoPlace is called when the login has no connection left for a call, so that holders of other connections give
	// way. Default: nothing.
	NoPlace func()

	log      *slog.Logger
	troubled atomic.Bool

	mu       sync.Mutex
	troubles map[string]*trouble
	said     map[string]time.Time // when a trouble, even an ended trouble, was last logged
	back     chan struct{}        // closed when a trouble ends
}

type trouble struct {
	what  string // the failing calls, all if ""
	since time.Time
	quiet bool // the trouble began soon after the last trouble of its kind, and is not logged
}

// New returns a watch that logs to log.
func New(log *slog.Logger) *Watch {
	return &Watch{log: log, troubles: map[string]*trouble{}, said: map[string]time.Time{}, back: make(chan struct{})}
}

// Failed notes that a call has failed. It logs the failure if the trouble has just begun, or was not logged for a minute. The
// first argument names the call, such as "recording results". Attributes are added to the line.
func (w *Watch) Failed(what string, err error, attrs ...any) {
	key, message := what, what+" failed; trying again"
	attrs = append([]any{"error", err}, attrs...)
	switch {
	case unreachable(err):
		key, what, message = "", "", "the database does not answer; trying again"
	case pgerr.Of(err) == pgerr.ToMend:
		key, message = "mend "+code(err), what+" is refused until the set-up is mended; trying again"
	}
	if w.NoPlace != nil && listen.NoPlace(err) {
		w.NoPlace()
	}
	if mend := pgerr.Mend(err); mend != "" {
		attrs = append(attrs, "mend", mend)
	}
	w.note(key, what, message, attrs)
}

// FailedElsewhere is Failed for calls of another server than the database, such as a broker.
func (w *Watch) FailedElsewhere(what string, err error, attrs ...any) {
	w.note(what, what, what+" failed; trying again", append([]any{"error", err}, attrs...))
}

func (w *Watch) note(key, what, message string, attrs []any) {
	now := time.Now()
	w.mu.Lock()
	t, known := w.troubles[key]
	if !known {
		t = &trouble{what: what, since: now, quiet: true}
		w.troubles[key] = t
		w.troubled.Store(true)
	}
	said, before := w.said[key]
	quiet := before && now.Sub(said) < repeatAfter
	if !quiet {
		w.said[key], t.quiet = now, false
	}
	w.mu.Unlock()
	if quiet {
		return
	}
	if known {
		attrs = append(attrs, "for", now.Sub(t.since).Round(time.Second))
	}
	w.log.Warn(message, attrs...)
}

// Worked notes that a call has worked. It ends the troubles of these calls, and an outage of the database.
func (w *Watch) Worked(what string) {
	if !w.troubled.Load() {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	ended := false
	for key, t := range w.troubles {
		switch {
		case key != "" && t.what != what:
			continue
		case t.quiet:
		case key == "":
			w.log.Info("the database answers again", "after", time.Since(t.since).Round(time.Millisecond))
		default:
			w.log.Info(what+" works again", "after", time.Since(t.since).Round(time.Millisecond))
		}
		delete(w.troubles, key)
		ended = true
	}
	w.troubled.Store(len(w.troubles) > 0)
	if ended {
		close(w.back)
		w.back = make(chan struct{})
	}
}

// Troubled reports whether calls fail.
func (w *Watch) Troubled() bool { return w.troubled.Load() }

// Back returns a channel that is closed when the next trouble ends.
func (w *Watch) Back() <-chan struct{} {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.back
}

// Pause waits for d, or until a trouble or ctx ends.
func (w *Watch) Pause(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	case <-w.Back():
	}
}

// unreachable reports whether an error concerns all calls, because the database is away, is silent, or has no connection left.
func unreachable(err error) bool {
	if pgerr.Of(err) != pgerr.Passing {
		return false
	}
	switch c := code(err); {
	case c == "", strings.HasPrefix(c, "08"), strings.HasPrefix(c, "53"), strings.HasPrefix(c, "57P"):
		return true
	}
	return false
}

func code(err error) string {
	var pgErr *pgconn.PgError
	if errors.As(err, &pgErr) {
		return pgErr.Code
	}
	return ""
}
