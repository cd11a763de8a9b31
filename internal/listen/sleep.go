package listen

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// Marks tells the database that a client sleeps, so that transactions notify only then: docs/wakeups.md.
type Marks interface {
	// MarkSleeping notes for this number of seconds that the client sleeps. It returns false if notifications are
	// off.
	MarkSleeping(ctx context.Context, conn *pgx.Conn, seconds int32) (bool, error)
	// MarkAwake removes the mark.
	MarkAwake(ctx context.Context, conn *pgx.Conn) error
	// OpenWriters returns the transactions that may end without a notification. If `writers` has an earlier answer, it returns
	// those transactions in `writers` that are still running.
	OpenWriters(ctx context.Context, conn *pgx.Conn, writers []int64) ([]int64, error)
}

const (
	// markFor is how long a mark counts. After a crash of the client, transactions send useless notifications for that time.
	markFor = 30 * time.Second
	// renewAfter is the age at which a mark is renewed.
	renewAfter = 20 * time.Second
	// firstWatch is the wait before the first query of open writers. Each further wait is twice as long.
	firstWatch   = 25 * time.Millisecond
	longestWatch = 250 * time.Millisecond
	// probeWithin is the time within which a notification must come through a pooler.
	probeWithin = 500 * time.Millisecond
	// unmarkedPoll is the poll interval of a client that notifications cannot wake.
	unmarkedPoll = time.Second
)

// sleep is a session's state of its mark.
type sleep struct {
	able    bool      // the connection leads to the server itself, which takes marks
	deaf    bool      // the connection cannot even listen
	busy    bool      // the caller's state when the mark was last set
	heeded  bool      // notifications come
	ends    time.Time // of the mark, zero if there is no mark
	renewAt time.Time
	writers []int64 // transactions that may end without a notification
	watchAt time.Time
	watch   time.Duration
}

// Sleep says whether the caller wants to be woken by notifications. At first it does. A busy caller, which queries anyway,
// calls Sleep(false), so that transactions need not notify it. After Sleep(true) the listener marks the client in the database
// and then calls its hearer as if a poll were due. Any goroutine may call Sleep.
func (l *Listener) Sleep(sleeps bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.busy == !sleeps {
		return
	}
	l.busy = !sleeps
	if l.interrupt != nil {
		l.interrupt()
	}
}

// Refresh makes the listener call Channels at once, because there are new channels. Any goroutine may call it.
func (l *Listener) Refresh() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.stale = true
	if l.interrupt != nil {
		l.interrupt()
	}
}

// Remark makes the marks again at once, because they lack a name, and calls Connected. Any goroutine may call it.
func (l *Listener) Remark() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.stale, l.unmarked = true, true
	if l.interrupt != nil {
		l.interrupt()
	}
}

func (l *Listener) takeUnmarked() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	was := l.unmarked
	l.unmarked = false
	return was
}

func (l *Listener) takeStale() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	was := l.stale
	l.stale = false
	return was
}

func (l *Listener) sleeps() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return !l.busy
}

// mayWait lets Sleep interrupt the wait that begins, unless Sleep was called before.
func (l *Listener) mayWait(s *sleep, interrupt context.CancelFunc) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.interrupt = interrupt
	return !l.stale && !time.Now().Before(l.without) && (l.busy == s.busy || !s.able)
}

// prepare finds out whether notifications can reach conn. They cannot reach conn through a pooler that swallows notifications.
// There is a pooler if the process that answers queries is not the process that the server named when the connection began. If
// so, prepare tests whether the pooler passes on a notification.
func (l *Listener) prepare(ctx context.Context, conn *pgx.Conn) (s sleep, err error) {
	if l.Marks == nil {
		return s, nil
	}
	asking, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	results, err := conn.PgConn().Exec(asking, "select pg_backend_pid()").ReadAll()
	if err != nil {
		return s, err
	}
	answers := len(results) == 1 && len(results[0].Rows) == 1 && len(results[0].Rows[0]) == 1
	s.able = answers && string(results[0].Rows[0][0]) == strconv.FormatUint(uint64(conn.PgConn().PID()), 10)
	if !s.able {
		s.able, err = l.passes(asking, conn)
		if err != nil {
			return s, err
		}
	}
	if !s.able {
		l.Logger.InfoContext(ctx, "notifications do not pass the pooler; polling", "every", min(l.PollInterval, unmarkedPoll))
	}
	return s, nil
}

// passes reports whether a notification of another session arrives. A pooler that assigns a server session to a client for good
// passes on the notification. A pooler that assigns sessions to transactions does not.
func (l *Listener) passes(ctx context.Context, conn *pgx.Conn) (bool, error) {
	other, err := l.Connect(ctx)
	if err != nil {
		return false, err
	}
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeWithin)
		defer cancel()
		_ = other.Close(ctx)
	}()
	probe := fmt.Sprintf("tasker_probe_%016x", rand.Uint64())
	if _, err := conn.PgConn().Exec(ctx, "listen "+probe).ReadAll(); err != nil {
		return false, err
	}
	if _, err := other.PgConn().Exec(ctx, "notify "+probe).ReadAll(); err != nil {
		return false, err
	}
	waiting, cancel := context.WithTimeout(ctx, probeWithin)
	defer cancel()
	heard, err := conn.WaitForNotification(waiting)
	if err != nil {
		if waiting.Err() != nil && ctx.Err() == nil && !conn.IsClosed() {
			err = nil
		}
		return false, err
	}
	_, err = conn.PgConn().Exec(ctx, "unlisten "+probe).ReadAll()
	return heard.Channel == probe, err
}

// mark updates the client's mark in the database. It reports whether the caller must query now.
func (l *Listener) mark(ctx context.Context, conn *pgx.Conn, s *sleep) (query bool, err error) {
	asking, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	now := time.Now()
	marked := now.Before(s.ends)
	s.busy = !l.sleeps()
	switch {
	case !s.able:
		return false, nil
	case s.busy:
		if !s.ends.IsZero() {
			err = l.Marks.MarkAwake(asking, conn)
			s.ends, s.writers = time.Time{}, nil
		}
		return false, l.unable(ctx, conn, s, err)
	case !marked || !now.Before(s.renewAt):
		if s.heeded, err = l.Marks.MarkSleeping(asking, conn, int32(markFor/time.Second)); err != nil {
			return true, l.unable(ctx, conn, s, err)
		}
		// Count from a time before the call, so that the mark on the server does not end earlier than the listener assumes.
		s.ends, s.renewAt = now.Add(markFor), now.Add(renewAfter)
		if marked {
			return false, nil // The mark never ended for other transactions.
		}
		s.writers, err = l.Marks.OpenWriters(asking, conn, nil)
		s.watch = firstWatch
		s.watchAt = time.Now().Add(s.watch)
		return true, l.unable(ctx, conn, s, err)
	case len(s.writers) > 0 && !now.Before(s.watchAt):
		left, err := l.Marks.OpenWriters(asking, conn, s.writers)
		if err != nil {
			return true, l.unable(ctx, conn, s, err)
		}
		ended := len(left) < len(s.writers)
		s.writers, s.watch = left, min(2*s.watch, longestWatch)
		s.watchAt = time.Now().Add(s.watch)
		return ended, nil
	}
	return false, nil
}

// unable stops marking in this session if the server refuses marks, because it is a standby or the role has no right to mark.
func (l *Listener) unable(ctx context.Context, conn *pgx.Conn, s *sleep, err error) error {
	var refused *pgconn.PgError
	if err == nil || conn.IsClosed() || !errors.As(err, &refused) {
		return err
	}
	*s = sleep{}
	l.Logger.WarnContext(ctx, "cannot be woken; polling", "error", err, "every", min(l.PollInterval, unmarkedPoll))
	return nil
}

// ended has the caller query.
func (l *Listener) ended(ctx context.Context, conn *pgx.Conn) error {
	if hearer, tells := l.Hearer.(Ender); tells {
		return hearer.Ended(ctx, conn)
	}
	return l.Hearer.Polled(ctx, conn)
}

// leave removes the mark, if the connection still works.
func (l *Listener) leave(ctx context.Context, conn *pgx.Conn, s *sleep) {
	if s.ends.IsZero() || conn.IsClosed() {
		return
	}
	_ = l.Marks.MarkAwake(ctx, conn) // Otherwise the mark ends by itself.
}

// pollEvery is the poll interval. It is shorter if notifications cannot wake the caller.
func (l *Listener) pollEvery(s *sleep) time.Duration {
	if l.Marks != nil && l.sleeps() && (s.ends.IsZero() || !s.heeded) {
		return min(l.PollInterval, unmarkedPoll)
	}
	return l.PollInterval
}

// next returns the time at which mark next has work.
func (s *sleep) next() time.Time {
	if s.ends.IsZero() {
		return time.Time{}
	}
	if len(s.writers) > 0 {
		return earlier(s.renewAt, s.watchAt)
	}
	return s.renewAt
}
