package serve

import (
	"context"
	"crypto/rand"
	"log/slog"
	"net/http"
	"path"
	"regexp"
	"strings"
	"time"

	"github.com/pgtasker/pgtasker/internal/bearer"
)

// entry is a request in the log. Only the goroutine of the request writes it.
type entry struct {
	id            string
	token, role   string
	status, bytes int
}

type entryKey struct{}

func entryOf(r *http.Request) *entry {
	e, _ := r.Context().Value(entryKey{}).(*entry)
	if e == nil {
		e = &entry{}
	}
	return e
}

// requestID returns the ID of a request in the log.
func requestID(r *http.Request) string { return entryOf(r).id }

// note stores the sender of a request in the request's log entry.
func note(r *http.Request, c *caller) {
	e := entryOf(r)
	e.token, e.role = c.token, c.role
}

// harmless matches the request IDs that the server accepts from clients, since they cannot damage a log.
var harmless = regexp.MustCompile(`^[A-Za-z0-9._:-]{1,64}$`)

// logged answers a request with an ID and writes a line about the request. The line has neither headers nor the query, since these may hold
// secrets.
func (s *Server) logged(w http.ResponseWriter, r *http.Request, answer http.HandlerFunc) {
	began := time.Now()
	e := &entry{id: r.Header.Get("X-Request-Id")}
	if !harmless.MatchString(e.id) || strings.Contains(strings.ToLower(e.id), bearer.Prefix) {
		e.id = rand.Text()
	}
	r = r.WithContext(context.WithValue(r.Context(), entryKey{}, e))
	recorder := &recorder{ResponseWriter: w, entry: e}
	w.Header().Set("X-Request-Id", e.id)
	defer func() {
		if p := recover(); p != nil {
			if p == http.ErrAbortHandler { //nolint:errorlint // net/http compares this value in the same way.
				panic(p)
			}
			s.config.Logger.ErrorContext(r.Context(), "request panicked", "request_id", e.id, "panic", p)
			if e.status == 0 {
				writeProblem(recorder, r, &problemBody{Status: http.StatusInternalServerError, Detail: "the server has failed"})
			}
		}
		level := slog.LevelInfo
		if e.status >= http.StatusInternalServerError {
			level = slog.LevelWarn
		}
		s.config.Logger.Log(
			r.Context(), level, "request",
			"method", method(r), "route", s.routeOf(r), "status", e.status, "bytes", e.bytes,
			"duration_ms", float64(time.Since(began).Microseconds())/1000,
			"request_id", e.id, "token", e.token, "role", e.role, "client", s.config.ClientAddress(r),
		)
	}()
	answer(recorder, r)
}

// routeOf returns the pattern that a request's path matches. The log gets the pattern and not the path, since a client may have
// put a secret into the path by mistake.
func (s *Server) routeOf(r *http.Request) string {
	if _, pattern := s.mux.Handler(r); clean(r.URL.Path) && pattern != elsewhere {
		return pattern[strings.Index(pattern, "/"):]
	}
	return "none"
}

// method returns the method if it is a known method.
func method(r *http.Request) string {
	switch r.Method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions:
		return r.Method
	}
	return "other"
}

// clean reports whether the router accepts a path without redirecting the client to another path.
func clean(name string) bool {
	if !strings.HasPrefix(name, "/") {
		return false
	}
	cleaned := path.Clean(name)
	return cleaned == name
}

// recorder keeps the status and the size of an answer for the log.
type recorder struct {
	http.ResponseWriter
	entry *entry
}

// WriteHeader keeps the status.
func (r *recorder) WriteHeader(status int) {
	if r.entry.status == 0 {
		r.entry.status = status
	}
	r.ResponseWriter.WriteHeader(status)
}

// Write counts the bytes.
func (r *recorder) Write(p []byte) (int, error) {
	if r.entry.status == 0 {
		r.entry.status = http.StatusOK
	}
	n, err := r.ResponseWriter.Write(p)
	r.entry.bytes += n
	return n, err
}

// Unwrap returns the wrapped writer, for http.ResponseController.
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }
