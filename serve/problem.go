package serve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"regexp"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/pgtasker/pgtasker/executor"
)

// problemBody is the body of an error (RFC 9457).
type problemBody struct {
	Type   string `json:"type" doc:"Where the kind of problem is described, relative to the server."`
	Title  string `json:"title" doc:"The kind of problem, the same for all of its status."`
	Status int    `json:"status" doc:"The HTTP status."`
	Code   string `json:"code" doc:"TK404 and the like, as docs/errors.md lists them; the SQLSTATE of PostgreSQL, or HTTP with the status, where pgtasker has no code."`
	Detail string `json:"detail" doc:"What is wrong, for people."`
	More   string `json:"more,omitempty" doc:"The values behind it."`
	Hint   string `json:"hint,omitempty" doc:"What to do about it."`
	// RequestID is the value of the header X-Request-Id. The server's log has the request under this ID.
	RequestID string `json:"request_id" doc:"The request's X-Request-Id, under which the server's log has it."`
}

// Error returns the problem.
func (p *problemBody) Error() string { return p.Detail }

// kinds maps the kinds of the database's errors to statuses. The number of a code of class TK is its status.
var kinds = []struct {
	kind   error
	status int
}{
	{executor.ErrUnauthorized, http.StatusUnauthorized},
	{executor.ErrForbidden, http.StatusForbidden},
	{executor.ErrNotFound, http.StatusNotFound},
	{pgx.ErrNoRows, http.StatusNotFound},
	{executor.ErrConflict, http.StatusConflict},
	{executor.ErrRetired, http.StatusGone},
	{executor.ErrTooLarge, http.StatusRequestEntityTooLarge},
	{executor.ErrInvalid, http.StatusUnprocessableEntity},
	{executor.ErrSignInAgain, http.StatusPreconditionRequired},
	{executor.ErrThrottled, http.StatusTooManyRequests},
	{executor.ErrDesignLimit, http.StatusInsufficientStorage},
}

// invalid returns the problem for an argument that the server refuses without asking the database.
func invalid(detail, hint string) *problemBody {
	return &problemBody{Status: http.StatusUnprocessableEntity, Code: "TK422", Detail: detail, Hint: hint}
}

// malformed returns the problem for a request that the server cannot read.
func malformed(detail, hint string) *problemBody {
	return &problemBody{Status: http.StatusBadRequest, Detail: detail, Hint: hint}
}

// describe returns the problem that the client gets for an error. The second result says whether the log needs more details,
// since the client gets no details of an error that it did not cause.
func describe(err error) (p *problemBody, internal bool) {
	if errors.As(err, &p) {
		copied := *p
		return &copied, false
	}
	var pgErr *pgconn.PgError
	if errors.As(err, &pgErr) {
		return describeDatabase(err, pgErr)
	}
	for _, k := range kinds {
		if errors.Is(err, k.kind) {
			return &problemBody{Status: k.status, Code: "TK" + strconv.Itoa(k.status), Detail: err.Error()}, false
		}
	}
	var connect *pgconn.ConnectError
	switch {
	case errors.As(err, &connect), errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled), pgconn.Timeout(err):
		return unavailable("the database did not answer in time"), true
	case disconnected(err):
		return unavailable("the connection to the database was lost"), true
	}
	return &problemBody{Status: http.StatusInternalServerError, Detail: "the server has failed", Hint: "Its log says why, under this request_id."}, true
}

// disconnected reports whether an error comes from a connection to the database that was closed, was reset, or ended in the
// middle of an answer.
func disconnected(err error) bool {
	var network net.Error
	return errors.As(err, &network) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed) ||
		pgconn.SafeToRetry(err)
}

// notLogin matches PostgreSQL's message if the login may not become a token's role.
var notLogin = regexp.MustCompile(`^permission denied to set role "(.*)"$`)

func describeDatabase(err error, pgErr *pgconn.PgError) (*problemBody, bool) {
	p := &problemBody{Code: pgErr.Code, Detail: pgErr.Message, More: pgErr.Detail, Hint: overREST(pgErr.Hint)}
	for _, k := range kinds {
		if errors.Is(err, k.kind) {
			p.Status = k.status
		}
	}
	switch class := pgErr.Code[:min(2, len(pgErr.Code))]; {
	case notLogin.MatchString(pgErr.Message):
		role := notLogin.FindStringSubmatch(pgErr.Message)[1]
		p.Status, p.Code, p.More = http.StatusForbidden, "TK403", ""
		p.Detail = fmt.Sprintf("the login of the server may not become %q", role)
		p.Hint = fmt.Sprintf("The token is not the cause. A superuser grants the role to the login of tasker serve: grant %s to …; (docs/serve.md).", role)
		return p, false
	case pgErr.Code == "42501":
		p.Status, p.Code, p.More = http.StatusForbidden, "TK403", ""
		p.Hint = "The token's role may not do it: docs/functions.md names the roles that may."
		return p, false
	case p.Status != 0:
		return p, false
	case pgErr.Code == "25006":
		p.Status, p.Code = http.StatusForbidden, "TK403"
		p.Detail, p.Hint = "the server is read-only", "It was started with --read-only."
		return p, false
	case class == "22":
		p.Status, p.Code = http.StatusUnprocessableEntity, "TK422"
		p.More = ""
		return p, false
	case pgErr.Code == "0A000" && strings.HasSuffix(pgErr.Message, "during recovery"):
		return unavailable(inRecovery), true
	case class == "40", class == "53", class == "55", class == "57", class == "58", class == "08", pgErr.Code == "25P03":
		return unavailable("the database cannot do it now"), true
	}
	return &problemBody{Status: http.StatusInternalServerError, Detail: "the server has failed", Hint: "Its log says why, under this request_id."}, true
}

// inRecovery is the error for a database that is a standby, or that has not become the primary yet.
const inRecovery = "the database is in recovery and cannot be written"

func unavailable(detail string) *problemBody {
	return &problemBody{Status: http.StatusServiceUnavailable, Detail: detail, Hint: "Repeat the request after the seconds of Retry-After."}
}

// fail sends the problem to the client.
func (s *Server) fail(w http.ResponseWriter, r *http.Request, err error) {
	var pgErr *pgconn.PgError
	if !s.config.ReadOnly && errors.As(err, &pgErr) && pgErr.Code == "25006" {
		err = unavailable(inRecovery) // or the settings of the database make it read-only
	}
	p, internal := describe(err)
	if internal && r.Context().Err() == nil {
		s.config.Logger.ErrorContext(r.Context(), "request failed", "request_id", requestID(r), "error", err)
	}
	writeProblem(w, r, p)
}

func writeProblem(w http.ResponseWriter, r *http.Request, p *problemBody) {
	if p.Code == "" {
		p.Code = "HTTP" + strconv.Itoa(p.Status)
	}
	p.Type = "/v1/docs#" + strings.ToLower(p.Code)
	p.Title = http.StatusText(p.Status)
	p.RequestID = requestID(r)
	header := w.Header()
	switch p.Status {
	case http.StatusUnauthorized:
		header.Set("WWW-Authenticate", `Bearer realm="pgtasker"`)
		if readsPages(r) {
			header.Add("WWW-Authenticate", `Basic realm="pgtasker, with a token as password"`)
		}
	case http.StatusServiceUnavailable, http.StatusTooManyRequests:
		if header.Get("Retry-After") == "" {
			header.Set("Retry-After", "1")
		}
	}
	body, err := json.Marshal(p)
	if err != nil {
		body = []byte("{}")
	}
	header.Set("Content-Type", "application/problem+json")
	header.Set("Content-Length", strconv.Itoa(len(body)+1))
	w.WriteHeader(p.Status)
	_, _ = w.Write(append(body, '\n')) // The client may be gone.
}

func notFound(w http.ResponseWriter, r *http.Request) {
	writeProblem(w, r, &problemBody{Status: http.StatusNotFound, Detail: "there is no such page", Hint: "GET /v1/openapi.json lists them."})
}
