package pgtest

import (
	"context"
	"errors"
	"os"
	"sync"
	"time"

	"github.com/pgtasker/pgtasker/internal/pgtest/pgdatabase"
)

// startWithin bounds the start of a server, including the build of a Docker image.
const startWithin = 10 * time.Minute

// process is the state that the tests of this process share.
var process shared

// shared starts the server when the first test asks for a database. It does not try again if the start fails.
type shared struct {
	mu      sync.Mutex
	entered bool
	session *pgdatabase.Session
	err     error
}

// enter allows calls of open, since leave will be called.
func (s *shared) enter() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.entered = true
}

func (s *shared) open() (*pgdatabase.Session, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.entered {
		return nil, errors.New("add func TestMain(m *testing.M) { pgtest.Main(m) } to the package: it stops the server")
	}
	if s.session == nil && s.err == nil {
		ctx, cancel := context.WithTimeout(context.Background(), startWithin)
		defer cancel()
		s.session, s.err = pgdatabase.Start(ctx, os.Stderr)
	}
	return s.session, s.err
}

func (s *shared) leave() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.session == nil {
		return nil
	}
	return s.session.Stop()
}
