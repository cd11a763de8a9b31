package serve

import (
	"context"
	"errors"
	"net/http"

	"github.com/jackc/pgx/v5"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/ui"
)

// mountUI mounts the operators' page.
func (s *Server) mountUI() {
	config := ui.Config{Transact: s.transactForPage, Describe: s.describeForPage, ReadOnly: s.config.ReadOnly}
	if s.config.Provider != nil {
		config.SignIn = &ui.SignIn{
			Name: s.config.Provider.Name(), Cookie: s.sessionCookie(), Begin: s.beginSignIn, Finish: s.finishSignIn, End: s.signOut,
		}
	}
	if s.config.Proxy != nil {
		config.Ambient = s.ambient
	}
	s.ui = ui.New(config)
	for _, pattern := range s.ui.Patterns() {
		s.mux.Handle(pattern, s.ui)
	}
	s.mux.Handle("GET /{$}", http.RedirectHandler(ui.Root, http.StatusSeeOther))
}

// Close ends the streams of pages and the periodic duties, answers waiting exchanges, and closes the connection that listens, so that the
// process can stop. The caller closes the pool. A repeated call of Close does nothing.
func (s *Server) Close() {
	s.ui.Close()
	s.polls.close()
	s.duties.close()
}

// ambient returns the secret of the person whom a proxy has signed in, and an empty secret if the request names none.
func (s *Server) ambient(r *http.Request) (string, error) {
	person, refused := s.config.Proxy.person(r)
	switch {
	case refused != nil:
		return "", refused
	case person == nil:
		return "", nil
	}
	return person.ambient(), nil
}

// transactForPage runs f in a transaction with the token of a browser's session, by the same path as REST.
func (s *Server) transactForPage(r *http.Request, token string, writes bool, f func(ctx context.Context, tx pgx.Tx) error) (ui.Principal, error) {
	c := &caller{}
	defer func() { note(r, c) }()
	hash, known := hashOf(token)
	c.secret = hash
	if session, ok := sessionHash(token); ok && s.config.Provider != nil {
		c.secret, c.session, c.sessionToken, known = session, true, token, true
	}
	if s.config.Proxy != nil {
		person, refused := s.config.Proxy.person(r)
		if refused != nil {
			return ui.Principal{}, refused
		}
		if person != nil {
			c.proxied, c.secret, c.session, known = person, person.key, false, true
		}
	}
	if !known {
		return ui.Principal{}, &problemBody{Status: http.StatusUnauthorized, Code: "TK401", Detail: "the token is not known"}
	}
	err := s.attempt(r, c, func() error {
		return s.transact(r.Context(), c, writes, func(ctx context.Context, db executor.DBTX) error {
			tx, ok := db.(pgx.Tx)
			if !ok {
				return errors.New("the transaction of a page is no transaction")
			}
			return f(ctx, tx)
		})
	})
	if err == nil {
		s.touch(r, c)
	}
	return ui.Principal{Token: c.token, Role: c.role}, err
}

// describeForPage returns the text for a person about a problem that REST reports to a program. It logs errors of the server.
func (s *Server) describeForPage(r *http.Request, err error) ui.Problem {
	var said *ui.Problem
	if errors.As(err, &said) {
		p := *said
		p.RequestID = requestID(r)
		return p
	}
	p, internal := describe(err)
	if internal && r.Context().Err() == nil {
		s.config.Logger.ErrorContext(r.Context(), "request failed", "request_id", requestID(r), "error", err)
	}
	return ui.Problem{Status: p.Status, Code: p.Code, Detail: p.Detail, More: p.More, Hint: ui.Hint(p.Hint), RequestID: requestID(r)}
}
