package pgdatabase

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/pgtasker/pgtasker/internal/pgtest/pgserver"
)

// Session is a server with this project's databases.
type Session struct {
	*Databases
	Server *pgserver.Server
}

// Start finds or starts a server, connects to it and writes one line to out
// that says which server it is. The caller must call [Session.Stop].
func Start(ctx context.Context, out io.Writer) (*Session, error) {
	schema, err := Project()
	if err != nil {
		return nil, err
	}
	server, err := pgserver.Start(ctx)
	if err != nil {
		return nil, err
	}
	databases, err := Open(ctx, server.URL, schema)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("connect to %s: %w", server.Origin, err), server.Stop())
	}
	session := &Session{Databases: databases, Server: server}
	version, err := databases.Version(ctx)
	if err != nil {
		return nil, errors.Join(err, session.Stop())
	}
	_, err = fmt.Fprintf(out, "pgtest: PostgreSQL %s (%s)\n", version, server.Origin)
	if err != nil {
		return nil, errors.Join(err, session.Stop())
	}
	return session, nil
}

// StartOriginal starts a server with the template, of which tests copy servers of their own ([pgserver.StartCopy]).
func StartOriginal(ctx context.Context) (*pgserver.Server, error) {
	schema, err := Project()
	if err != nil {
		return nil, err
	}
	server, err := pgserver.StartOriginal(ctx)
	if err != nil {
		return nil, err
	}
	databases, err := Open(ctx, server.URL, schema)
	if err == nil {
		_, err = databases.ensureTemplate(ctx)
		databases.Close()
	}
	if err != nil {
		return nil, errors.Join(err, server.Stop())
	}
	return server, nil
}

// Stop disconnects, and ends the server if [Start] started it.
func (s *Session) Stop() error {
	s.Close()
	return s.Server.Stop()
}
