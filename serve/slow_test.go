package serve_test

import (
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestServe_SlowClientsHoldNoConnectionOfThePool has more clients that do not end their request, or do not read their
// answer, than the pool has connections.
func TestServe_SlowClientsHoldNoConnectionOfThePool(t *testing.T) {
	t.Parallel()
	s := newContract(t)
	token := s.token(t, "ops", "operator", "*")
	const slow = 10
	require.Less(t, s.web.Config().MaxConns, int32(slow))
	for range slow {
		for _, request := range []string{
			"POST /v1/tasks HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + token + "\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{",
			"GET /v1/openapi.json HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + token + "\r\n\r\n",
		} {
			conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", strings.TrimPrefix(s.url, "http://"))
			require.NoError(t, err)
			defer conn.Close() //nolint:errcheck // It is given up.
			require.NoError(t, conn.SetDeadline(time.Now().Add(within)))
			_, err = io.WriteString(conn, request)
			require.NoError(t, err)
		}
	}
	for range 5 {
		require.Equal(t, 200, s.send(t, token, "GET", "/v1/tasks", "").status)
	}
}
