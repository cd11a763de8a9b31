package serve

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/internal/bearer"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/kin"
	"github.com/pgtasker/pgtasker/internal/listen"
)

// secret is the SHA-256 of a token. The database stores the same hash, and the server keeps no other part of the token.
type secret [sha256.Size]byte

// readsPages says whether a browser may send the token as a password. Another site could make the browser send it, so such a request may
// only read.
func readsPages(r *http.Request) bool {
	return r.Method == http.MethodGet || r.Method == http.MethodHead
}

// presented records how a request identifies its sender: by the person whom a proxy has signed in, by a token of the identity provider, or
// by a token of the database.
func (s *Server) presented(r *http.Request, c *caller) *problemBody {
	if s.config.Proxy != nil {
		person, refused := s.config.Proxy.person(r)
		if refused != nil {
			return refused
		}
		if person != nil {
			// The proxy adds the person to requests of other sites, too.
			if err := s.origin.Check(r); err != nil {
				return &problemBody{Status: http.StatusForbidden, Code: "TK403", Detail: "the request was sent from another site"}
			}
			c.proxied, c.secret = person, person.key
			return nil
		}
	}
	if scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " "); s.config.Provider != nil && s.config.Provider.Bearers() &&
		strings.EqualFold(scheme, "Bearer") && len(r.Header.Values("Authorization")) == 1 && strings.Count(token, ".") == 2 {
		c.bearer = strings.TrimSpace(token)
		c.secret, c.session = sha256.Sum256([]byte(c.bearer)), true
		return nil
	}
	hash, refused := presentedToken(r)
	c.secret = hash
	return refused
}

// presentedToken returns the hash of the token of the database that a request carries.
func presentedToken(r *http.Request) (secret, *problemBody) {
	refused := &problemBody{
		Status: http.StatusUnauthorized, Code: "TK401", Detail: "the request has no token",
		Hint: "Send the header Authorization: Bearer tasker_…; an operator makes tokens with tasker token create.",
	}
	values := r.Header.Values("Authorization")
	if len(values) != 1 {
		return secret{}, refused
	}
	scheme, token, _ := strings.Cut(values[0], " ")
	token = strings.TrimSpace(token)
	switch {
	case strings.EqualFold(scheme, "Bearer"):
	case strings.EqualFold(scheme, "Basic") && readsPages(r):
		_, token, _ = r.BasicAuth()
	default:
		return secret{}, refused
	}
	hash, ok := hashOf(token)
	if !ok {
		refused.Detail = "the token is not known"
		return secret{}, refused
	}
	return hash, nil
}

// hashOf returns the hash of a text that may be a token.
func hashOf(token string) (secret, bool) {
	random, ok := strings.CutPrefix(token, bearer.Prefix)
	if decoded, err := base64.RawURLEncoding.DecodeString(random); !ok || err != nil || len(decoded) != 32 {
		return secret{}, false
	}
	return sha256.Sum256([]byte(token)), true
}

// errTooManyAttempts answers an address that has guessed tokens.
var errTooManyAttempts = &problemBody{
	Status: http.StatusTooManyRequests, Detail: "the token is not known, and too many requests with unknown tokens came from this address",
	Hint: "Wait the seconds of Retry-After; valid tokens are not concerned.",
}

// The first statements of a transaction. The simple protocol takes both statements in one round trip. The settings end with the
// transaction, however it ends.
const (
	beginReading = "begin isolation level read committed read only; set local role tasker_server"
	beginWriting = "begin isolation level read committed read write; set local role tasker_server"
)

// transact runs f in a separate transaction, as the caller, and commits the transaction unless f fails.
func (s *Server) transact(ctx context.Context, c *caller, writes bool, f func(ctx context.Context, db executor.DBTX) error) error {
	err := s.transactOn(ctx, s.pool, c, writes, f)
	switch {
	case errors.Is(err, errRefreshDue):
		err = s.refresh(ctx, c)
	case c.bearer != "" && isUnknown(err):
		err = s.admit(ctx, c)
	default:
		return err
	}
	if err != nil {
		return err
	}
	return s.transactOn(ctx, s.pool, c, writes, f)
}

// assume gives the transaction the role of the caller.
func (c *caller) assume(ctx context.Context, e *direct.Executor) error {
	switch {
	case c.proxied != nil:
		access, err := e.AssumePerson(ctx, c.proxied.claims, c.proxied.signedInAt)
		if err == nil {
			c.token, c.role = access.Value, access.RoleName
		}
		return err
	case c.session:
		session, err := e.AssumeSession(ctx, c.secret[:])
		if err != nil {
			return err
		}
		if session.RefreshDue {
			return errRefreshDue
		}
		c.token, c.role, c.touchDue = session.Person, text(session.RoleName), session.TouchDue
		return nil
	}
	token, err := e.AssumeToken(ctx, c.secret[:])
	if err == nil {
		c.token, c.role, c.expires = token.Name, token.RoleName, token.ExpiresAt
	}
	return err
}

// transactOn is transact on a given server.
func (s *Server) transactOn(
	ctx context.Context, pool *pgxpool.Pool, c *caller, writes bool, f func(ctx context.Context, db executor.DBTX) error,
) error {
	ctx, cancel := context.WithTimeout(ctx, s.config.Timeout)
	defer cancel()
	release, err := s.shares[pool].take(ctx, c.secret)
	if err != nil {
		return err
	}
	defer release()
	if writes {
		defer s.doDuties()
	}
	return s.asServer(ctx, pool, writes, func(ctx context.Context, tx pgx.Tx) error {
		if err := c.assume(ctx, direct.New(tx)); err != nil {
			return err
		}
		return f(ctx, tx)
	})
}

// asServer runs f in a transaction with the right to read tokens, and no other right.
func (s *Server) asServer(
	ctx context.Context, pool *pgxpool.Pool, writes bool, f func(ctx context.Context, tx pgx.Tx) error,
) error {
	ctx, cancel := context.WithTimeout(ctx, s.config.Timeout)
	defer cancel()
	begin := beginReading
	if writes && !s.config.ReadOnly {
		begin = beginWriting
	}
	err := pgx.BeginTxFunc(ctx, pool, pgx.TxOptions{BeginQuery: begin}, func(tx pgx.Tx) error { return f(ctx, tx) })
	if listen.NoPlace(err) {
		s.polls.giveWay()
	}
	return err
}

// authenticated runs f if the caller may try to use a token, and remembers the outcome.
func (s *Server) authenticated(w http.ResponseWriter, r *http.Request, f func(c *caller) error) {
	c := &caller{}
	defer func() { note(r, c) }()
	if refused := s.presented(r, c); refused != nil {
		writeProblem(w, r, refused) // The attempt has cost nothing.
		return
	}
	if err := s.attempt(r, c, func() error { return f(c) }); err != nil {
		if errors.Is(err, errTooManyAttempts) {
			w.Header().Set("Retry-After", "5")
		}
		s.fail(w, r, err)
	}
}

// attempt runs f, which uses the token of a caller, and remembers the outcome. After too many unknown tokens from an address, a token that
// was not accepted lately is looked up first, by few requests at a time. So a valid token is never refused, and a flood of guesses leaves
// most of the pool to other callers.
func (s *Server) attempt(r *http.Request, c *caller, f func() error) error {
	address := s.config.ClientAddress(r)
	if c.proxied == nil && !s.attempts.may(address, c.secret, time.Now()) {
		switch err := s.lookUp(r.Context(), c); {
		case c.bearer == "" && isUnknown(err), c.bearer != "" && err != nil:
			return errTooManyAttempts
		case err != nil:
			return err
		}
	}
	err := f()
	switch {
	case c.token != "":
		s.attempts.succeeded(c.secret, time.Now())
	case isUnknown(err):
		s.attempts.failed(address, c.secret, time.Now())
	}
	return err
}

// lookUp returns an error unless a token, or a session, is valid.
func (s *Server) lookUp(ctx context.Context, c *caller) error {
	select {
	case s.lookups <- struct{}{}:
		defer func() { <-s.lookups }()
	case <-ctx.Done():
		return ctx.Err()
	}
	return s.asServer(ctx, s.pool, false, func(ctx context.Context, tx pgx.Tx) error {
		e := direct.New(tx)
		if c.session {
			_, err := e.AuthenticateSession(ctx, c.secret[:])
			return err
		}
		_, err := e.AuthenticateToken(ctx, c.secret[:])
		return err
	})
}

// isUnknown returns whether the database does not know a token. The database still knows an expired or revoked token.
func isUnknown(err error) bool {
	var pgErr *pgconn.PgError
	return errors.Is(err, errUnknownBearer) || errors.Is(err, executor.ErrUnauthorized) && errors.As(err, &pgErr) &&
		(pgErr.Message == "the token is not known" || pgErr.Message == "the session is not known")
}

// withToken shows a page to requests with a token of any role.
func (s *Server) withToken(page http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.authenticated(w, r, func(c *caller) error {
			if err := s.transact(r.Context(), c, false, func(context.Context, executor.DBTX) error { return nil }); err != nil {
				return err
			}
			page.ServeHTTP(w, r)
			return nil
		})
	})
}

// warnOfBuild logs that the database was made of other files than this program, or is older or newer.
func (s *Server) warnOfBuild(ctx context.Context, db executor.DBTX) error {
	err := kin.CheckBuild(ctx, db)
	switch {
	case errors.Is(err, kin.ErrOtherBuild):
		s.config.Logger.WarnContext(ctx, err.Error(), "hint", "tasker doctor names the files that differ")
	case errors.Is(err, kin.ErrOlderBuild):
		s.config.Logger.WarnContext(ctx, err.Error())
	case errors.Is(err, kin.ErrNewerBuild):
		s.config.Logger.InfoContext(ctx, err.Error())
	default:
		return err
	}
	return nil
}

// checkLogin returns the problem of the pool's login, if there is one.
func (s *Server) checkLogin(ctx context.Context) (findings []gen.InstallationFinding, err error) {
	err = s.asServer(ctx, s.pool, false, func(ctx context.Context, tx pgx.Tx) error {
		e := direct.New(tx)
		findings, err = e.CheckServerLogin(ctx)
		return errors.Join(err, s.warnOfBuild(ctx, tx))
	})
	var pgErr *pgconn.PgError
	if errors.As(err, &pgErr) && notLogin.MatchString(pgErr.Message) {
		err = &LoginError{Finding: noServerLogin(s.pool.Config().ConnConfig.User)}
	}
	return findings, err
}

// noServerLogin is the problem of a login that may not become tasker_server: an owner of the database that is no
// superuser, or a login of another program.
func noServerLogin(login string) gen.InstallationFinding {
	hint := "Log in as a role of its own: create role tasker_web login noinherit; " +
		"grant tasker_server, tasker_reader, tasker_submitter, tasker_worker, tasker_operator to tasker_web; (docs/serve.md)."
	return gen.InstallationFinding{
		Name: "login", Status: "fail", Message: fmt.Sprintf("login %q is not a member of tasker_server", login), Hint: &hint,
	}
}
