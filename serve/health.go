package serve

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/judge"
)

// healthz reports that the process can answer.
func healthz(w http.ResponseWriter, _ *http.Request) { plain(w, http.StatusOK, "ok") }

// readyz reports whether the server can do its work. The database must answer, and must take writes unless the server is
// read-only. There must be orchestrators, and partitions for new tasks. Other incidents do not make the server unready, since
// another server would have the same incidents. The answer also describes the condition of the system: a request with a token
// gets the sentence of tasker health, a request without a token only the kinds of incidents. For requests without a token the
// server reads the database at most once a second, and the incidents every five seconds.
func (s *Server) readyz(w http.ResponseWriter, r *http.Request) {
	if err := s.ready.look(time.Now(), func() error { return s.reach(r.Context()) }); err != nil {
		s.config.Logger.WarnContext(r.Context(), "not ready", "request_id", requestID(r), "error", err)
		w.Header().Set("Retry-After", "1")
		plain(w, http.StatusServiceUnavailable, "the database does not answer, or is in recovery")
		return
	}
	if r.Header.Get("Authorization") != "" {
		s.authenticated(w, r, func(c *caller) error {
			var verdict judge.Verdict
			err := s.transact(r.Context(), c, false, func(ctx context.Context, db executor.DBTX) (err error) {
				verdict, err = judge.ReadVerdict(ctx, executor.New(db))
				return err
			})
			if err == nil {
				s.sayReady(w, r, severityWords[verdict.Severity]+": "+verdict.Sentence)
			}
			return err
		})
		return
	}
	s.sayReady(w, r, "")
}

// severityWords are the names of the severities.
var severityWords = map[string]string{judge.ActNow: "act now", judge.LookToday: "look today", judge.Well: "well"}

// sayReady reports whether there are partitions and orchestrators, and describes the condition of the system. The description
// is the sentence, or the kinds of incidents.
func (s *Server) sayReady(w http.ResponseWriter, r *http.Request, sentence string) {
	state, err := s.ready.judge(time.Now(), func() (state gen.Readiness, err error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), readyWithin)
		defer cancel()
		err = s.asServer(ctx, s.pool, false, func(ctx context.Context, tx pgx.Tx) error {
			state, err = direct.New(tx).GetReadiness(ctx)
			return err
		})
		return state, err
	})
	if err != nil { // The database answered a moment ago, and the server can work without reading incidents.
		s.config.Logger.WarnContext(r.Context(), "incidents are not known", "request_id", requestID(r), "error", err)
		plain(w, http.StatusOK, "ok")
		return
	}
	if sentence == "" {
		sentence = severityWords[state.Severity]
		if len(state.Kinds) > 0 {
			sentence += ": " + strings.Join(state.Kinds, ", ")
		}
	}
	if state.Refused != nil {
		w.Header().Set("Retry-After", "1")
		plain(w, http.StatusServiceUnavailable, *state.Refused+"\n"+sentence)
		return
	}
	plain(w, http.StatusOK, "ok\n"+sentence)
}

func plain(w http.ResponseWriter, status int, line string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	_, _ = fmt.Fprintln(w, line) // The client may be gone.
}

// reach makes the first call of a request, with a token that cannot exist.
func (s *Server) reach(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), readyWithin)
	defer cancel()
	err := s.asServer(ctx, s.pool, true, func(ctx context.Context, tx pgx.Tx) error {
		_, err := direct.New(tx).AuthenticateToken(ctx, nil)
		return err
	})
	if errors.Is(err, executor.ErrUnauthorized) {
		return nil
	}
	return err
}

const (
	readyWithin = 2 * time.Second
	readyFor    = time.Second
	judgedFor   = 5 * time.Second
)

// readiness keeps the database's answer for one second, and the incidents for five seconds.
type readiness struct {
	mutex    sync.Mutex
	at       time.Time
	err      error
	judgedAt time.Time
	judged   gen.Readiness
}

func (r *readiness) judge(now time.Time, ask func() (gen.Readiness, error)) (gen.Readiness, error) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if now.Sub(r.judgedAt) > judgedFor {
		judged, err := ask()
		if err != nil {
			return gen.Readiness{}, err
		}
		r.judged, r.judgedAt = judged, time.Now()
	}
	return r.judged, nil
}

func (r *readiness) look(now time.Time, ask func() error) error {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if now.Sub(r.at) > readyFor {
		r.err, r.at = ask(), time.Now()
	}
	return r.err
}

// metrics answers Prometheus with the metrics that the token's role may see. A metric that the role may not see makes the
// transaction fail, and the page reports that failure. So the server writes the answer after the transaction.
func (s *Server) metrics() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.authenticated(w, r, func(c *caller) error {
			var page kept
			scrape := func(_ context.Context, db executor.DBTX) error {
				page = kept{header: w.Header(), status: http.StatusOK}
				s.config.Metrics(db).ServeHTTP(&page, r)
				return nil
			}
			if !s.onStandby(w, r, c, scrape) {
				if err := s.transact(r.Context(), c, false, scrape); err != nil && !errors.Is(err, pgx.ErrTxCommitRollback) {
					return err
				}
			}
			w.WriteHeader(page.status)
			_, _ = w.Write(page.body.Bytes()) // The client may be gone.
			return nil
		})
	})
}

// kept is an answer that is written after the transaction.
type kept struct {
	header http.Header
	status int
	body   bytes.Buffer
}

// Header returns the header of the later answer.
func (k *kept) Header() http.Header { return k.header }

// WriteHeader keeps the status.
func (k *kept) WriteHeader(status int) { k.status = status }

// Write keeps the body.
func (k *kept) Write(p []byte) (int, error) { return k.body.Write(p) }
