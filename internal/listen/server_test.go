package listen_test

import (
	"context"
	"errors"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgproto3"
	"github.com/stretchr/testify/require"
)

// server plays PostgreSQL over pipes, so that tests run in a bubble of time. As a test demands, it answers every
// query, refuses connections or falls silent.
type server struct {
	t *testing.T

	mu       sync.Mutex
	refusing bool
	pooled   bool        // queries are answered by another process than the connected one
	recovers bool        // it is a standby
	tries    []time.Time // the times at which a client tried to connect
	sessions []*session
}

// session is a connection of the server.
type session struct {
	pipe    net.Conn
	backend *pgproto3.Backend

	mu     sync.Mutex
	silent bool     // as if the network had swallowed it
	asked  []string // the queries
	closed bool     // the client has said goodbye
}

// set changes the server while it is used.
func (s *server) set(change func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change()
}

// answers returns the process that answers queries.
func (s *server) answers() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.pooled {
		return "2"
	}
	return "1"
}

func (s *server) standby() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.recovers
}

// waits returns the waits between the client's tries to connect, and forgets the tries.
func (s *server) waits() (waits []time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := 1; i < len(s.tries); i++ {
		waits = append(waits, s.tries[i].Sub(s.tries[i-1]))
	}
	s.tries = nil
	return waits
}

// last is the newest session.
func (s *server) last() *session {
	s.mu.Lock()
	defer s.mu.Unlock()
	require.NotEmpty(s.t, s.sessions)
	return s.sessions[len(s.sessions)-1]
}

// connect opens a connection to the server.
func (s *server) connect(ctx context.Context) (*pgx.Conn, error) {
	config, err := pgx.ParseConfig("postgres://listener@server/database?sslmode=disable")
	require.NoError(s.t, err)
	s.set(func() { s.tries = append(s.tries, time.Now()) })
	config.LookupFunc = func(_ context.Context, host string) ([]string, error) { return []string{host}, nil }
	config.DialFunc = func(context.Context, string, string) (net.Conn, error) {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.refusing {
			return nil, errors.New("connection refused")
		}
		client, pipe := net.Pipe()
		one := &session{pipe: pipe, backend: pgproto3.NewBackend(pipe, pipe)}
		go one.serve(s)
		return client, nil
	}
	return pgx.ConnectConfig(ctx, config)
}

func (one *session) serve(s *server) {
	defer func() { _ = one.pipe.Close() }() // a pipe's end cannot fail
	startup, err := one.backend.ReceiveStartupMessage()
	if _, starts := startup.(*pgproto3.StartupMessage); err != nil || !starts {
		return // a client asks to cancel a query
	}
	s.set(func() { s.sessions = append(s.sessions, one) })
	one.send(&pgproto3.AuthenticationOk{}, &pgproto3.BackendKeyData{ProcessID: 1, SecretKey: []byte{1, 2, 3, 4}}, ready)
	for {
		message, err := one.backend.Receive()
		if err != nil {
			return
		}
		switch message := message.(type) {
		case *pgproto3.Query:
			one.mu.Lock()
			one.asked = append(one.asked, message.String)
			one.mu.Unlock()
			if message.String == "select pg_backend_pid()" {
				one.send(&pgproto3.RowDescription{Fields: []pgproto3.FieldDescription{{
					Name: []byte("pg_backend_pid"), DataTypeOID: 23, DataTypeSize: 4, TypeModifier: -1,
				}}}, &pgproto3.DataRow{Values: [][]byte{[]byte(s.answers())}}, &pgproto3.CommandComplete{CommandTag: []byte("SELECT 1")}, ready)
				continue
			}
			if s.standby() && strings.HasPrefix(message.String, "listen") {
				one.send(&pgproto3.ErrorResponse{
					Severity: "ERROR", Code: "25006", Message: "cannot execute LISTEN during recovery",
				}, ready)
				continue
			}
			one.send(&pgproto3.CommandComplete{CommandTag: []byte("LISTEN")}, ready)
		case *pgproto3.Terminate:
			one.mu.Lock()
			one.closed = true
			one.mu.Unlock()
			return
		}
	}
}

var ready = &pgproto3.ReadyForQuery{TxStatus: 'I'}

func (one *session) send(messages ...pgproto3.BackendMessage) {
	one.mu.Lock()
	defer one.mu.Unlock()
	if one.silent {
		return
	}
	for _, message := range messages {
		one.backend.Send(message)
	}
	_ = one.backend.Flush() // The client may have gone.
}

func (one *session) notify(channel, payload string) {
	one.send(&pgproto3.NotificationResponse{PID: 1, Channel: channel, Payload: payload})
}

// fallSilent makes the session stop answering, without closing the connection.
func (one *session) fallSilent() {
	one.mu.Lock()
	defer one.mu.Unlock()
	one.silent = true
}

// queries returns the queries that the session received.
func (one *session) queries() []string {
	one.mu.Lock()
	defer one.mu.Unlock()
	return append([]string{}, one.asked...)
}
