package cli

import (
	"bufio"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// serveHurried serves handler as tasker serve does, but with time limits shorter by the factor hurry, and returns its address.
func serveHurried(t *testing.T, hurry time.Duration, handler http.HandlerFunc) string {
	t.Helper()
	server := newServer(handler, time.Minute)
	for _, timeout := range []*time.Duration{
		&server.ReadHeaderTimeout, &server.ReadTimeout, &server.WriteTimeout, &server.IdleTimeout,
	} {
		require.Positive(t, *timeout)
		*timeout /= hurry
	}
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	t.Cleanup(func() {
		require.NoError(t, server.Close())
		require.ErrorIs(t, <-served, http.ErrServerClosed)
	})
	return listener.Addr().String()
}

// dial opens a connection and writes text.
func dial(t *testing.T, address, text string) net.Conn {
	t.Helper()
	conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", address)
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	require.NoError(t, conn.SetDeadline(time.Now().Add(30*time.Second)))
	_, err = conn.Write([]byte(text))
	require.NoError(t, err)
	return conn
}

func TestServe_CutsOffClientsThatSendSlowly(t *testing.T) {
	t.Parallel()
	bodies := make(chan error, 1)
	body := func() error {
		select {
		case err := <-bodies:
			return err
		case <-time.After(time.Minute):
			return errors.New("no handler was called within a minute")
		}
	}
	address := serveHurried(t, 100, func(_ http.ResponseWriter, r *http.Request) {
		_, err := io.ReadAll(r.Body)
		bodies <- err
	})

	// The server closes a connection without a request, one whose header does not end, and one that stays idle.
	for _, text := range []string{"", "GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ", "GET / HTTP/1.1\r\nHost: x\r\n\r\n"} {
		conn := dial(t, address, text)
		_, err := io.Copy(io.Discard, conn)
		require.False(t, isTimeout(err), "%q: %v", text, err)
	}
	require.NoError(t, body(), "the whole request has its body")

	dial(t, address, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n1")
	require.True(t, isTimeout(body()), "the handler does not wait for the rest of a body")
}

func TestServe_CutsOffClientsThatReadSlowly(t *testing.T) {
	t.Parallel()
	written := make(chan error, 1)
	address := serveHurried(t, 1000, func(w http.ResponseWriter, _ *http.Request) {
		for {
			if _, err := w.Write(make([]byte, 1<<20)); err != nil {
				written <- err
				return
			}
		}
	})
	dial(t, address, "GET / HTTP/1.1\r\nHost: x\r\n\r\n") // the client does not read the answer
	require.Error(t, <-written)
}

func TestServe_RefusesHeadersThatAreTooLarge(t *testing.T) {
	t.Parallel()
	address := serveHurried(t, 1, func(http.ResponseWriter, *http.Request) { t.Error("the handler has been called") })
	conn := dial(t, address, "GET / HTTP/1.1\r\nHost: x\r\nX-Large: "+strings.Repeat("x", 40<<10)+"\r\n\r\n")
	response, err := http.ReadResponse(bufio.NewReader(conn), nil)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	require.Equal(t, http.StatusRequestHeaderFieldsTooLarge, response.StatusCode)
}

func isTimeout(err error) bool {
	var failure net.Error
	return errors.As(err, &failure) && failure.Timeout()
}
