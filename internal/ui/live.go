package ui

import (
	"context"
	"crypto/sha256"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
)

// soon and seldom are the times between two readings of a screen's mark while browsers watch the screen: soon after a
// change, seldom when nothing happens.
const (
	soon    = time.Second
	seldom  = 2 * time.Second
	calm    = 30 * time.Second // without a change until seldom is enough
	ping    = 5 * time.Second  // so that proxies keep a silent stream, and the page knows that the server answers
	most    = 1000             // streams at a time
	share   = 100              // streams of one token, so that no token has all streams
	atATime = 4                // marks that are read at a time, so that streams leave connections to requests
)

// watchers lets streams of the same token on the same screen share one reading of its mark.
type watchers struct {
	mutex  sync.Mutex
	marks  map[[sha256.Size]byte]*shared
	tokens map[string]int // how many streams each has
	places chan struct{}
	reads  chan struct{}
}

// shared is a mark with the time when it was read.
type shared struct {
	users   int
	reading sync.Mutex
	at      time.Time
	mark    string
	err     error
}

func newWatchers() *watchers {
	return &watchers{
		marks: map[[sha256.Size]byte]*shared{}, tokens: map[string]int{}, places: make(chan struct{}, most), reads: make(chan struct{}, atATime),
	}
}

// admit takes a place for a stream of a token, unless the token already has its share of places or all places are
// taken.
func (w *watchers) admit(token string) bool {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if w.tokens[token] >= share {
		return false
	}
	select {
	case w.places <- struct{}{}:
		w.tokens[token]++
		return true
	default:
		return false
	}
}

func (w *watchers) dismiss(token string) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	<-w.places
	if w.tokens[token]--; w.tokens[token] == 0 {
		delete(w.tokens, token)
	}
}

func (w *watchers) join(key [sha256.Size]byte) *shared {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	s := w.marks[key]
	if s == nil {
		s = &shared{}
		w.marks[key] = s
	}
	s.users++
	return s
}

func (w *watchers) leave(key [sha256.Size]byte) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if s := w.marks[key]; s != nil {
		if s.users--; s.users == 0 {
			delete(w.marks, key)
		}
	}
}

// read returns the mark, which is not older than fresh.
func (s *shared) read(fresh time.Duration, look func() (string, error)) (string, error) {
	s.reading.Lock()
	defer s.reading.Unlock()
	if time.Since(s.at) >= fresh {
		s.mark, s.err = look()
		s.at = time.Now()
	}
	return s.mark, s.err
}

// stream sends the mark of a screen, and sends it again after each change. The browser compares the mark with the mark
// of its page, and reads the page again if they differ. So a cut stream loses nothing.
func (u *UI) stream(w http.ResponseWriter, r *http.Request, s screen, visitor *session) {
	if !u.live.admit(visitor.token) {
		w.WriteHeader(http.StatusServiceUnavailable) // The browser polls.
		return
	}
	defer u.live.dismiss(visitor.token)
	key := sha256.Sum256([]byte(visitor.token + "\x00" + r.URL.RequestURI()))
	mark := u.live.join(key)
	defer u.live.leave(key)

	answer := http.NewResponseController(w)
	send := func(format string, arguments ...any) bool {
		_ = answer.SetWriteDeadline(time.Now().Add(3 * ping)) // Not every writer has deadlines.
		_, err := fmt.Fprintf(w, format, arguments...)
		return err == nil && answer.Flush() == nil
	}
	look := func() (string, error) { return u.look(r, s, visitor) }
	last, changed, pinged := "", time.Now(), time.Now()
	for {
		pause := soon
		if time.Since(changed) > calm {
			pause = seldom
		}
		now, err := mark.read(pause*9/10, look)
		switch {
		case err != nil && last == "":
			w.WriteHeader(http.StatusNoContent) // An EventSource does not come back after that, so the browser polls.
			return
		case err != nil:
			send("event: gone\ndata: \n\n") // The page says why when it is read again.
			return
		case now != last && last == "":
			w.Header().Set("Content-Type", "text/event-stream")
			w.Header().Set("X-Accel-Buffering", "no")
			fallthrough
		case now != last:
			last, changed, pinged = now, time.Now(), time.Now()
			if !send("event: mark\ndata: %s\n\n", now) {
				return
			}
		case time.Since(pinged) > ping:
			pinged = time.Now()
			if !send("event: ping\ndata: \n\n") {
				return
			}
		}
		timer := time.NewTimer(pause)
		select {
		case <-timer.C:
		case <-r.Context().Done():
			timer.Stop()
			return
		case <-u.done:
			timer.Stop()
			return
		}
	}
}

// look reads the mark of a screen in a transaction of its own.
func (u *UI) look(r *http.Request, s screen, visitor *session) (mark string, err error) {
	select {
	case u.live.reads <- struct{}{}:
		defer func() { <-u.live.reads }()
	case <-r.Context().Done():
		return "", r.Context().Err()
	}
	// Other streams may wait for the same mark, so the reading goes on to its end even if this browser has gone.
	r = r.WithContext(context.WithoutCancel(r.Context()))
	_, err = u.config.Transact(r, visitor.token, false, func(ctx context.Context, tx pgx.Tx) error {
		q := u.query(r, tx, visitor)
		if s.mark == nil || s.timed {
			var err error
			if q.now, err = q.Clock(ctx); err != nil {
				return err
			}
		}
		var err error
		mark, err = u.markOf(ctx, s, q)
		return err
	})
	return mark, err
}
