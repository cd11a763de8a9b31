package cli_test

import (
	"bytes"
	"context"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/cmd/tasker/internal/cli"
	"github.com/pgtasker/pgtasker/internal/pgtest"
)

// said keeps the output of a running command, and signals each write.
type said struct {
	mutex sync.Mutex
	text  bytes.Buffer
	more  chan struct{}
}

func (s *said) Write(p []byte) (int, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	select {
	case s.more <- struct{}{}:
	default:
	}
	return s.text.Write(p)
}

func (s *said) String() string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.text.String()
}

func TestDemo_EndsOnThePageAndStopsCleanly(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	out, ended := &said{more: make(chan struct{}, 1)}, make(chan int, 1)
	go func() {
		ended <- cli.Main(ctx, cli.Process{
			Args: []string{"demo", "--page", "always", "--listen", "127.0.0.1:0", "--database", pgtest.URL(pool)}, In: strings.NewReader(""), Out: out, Err: out,
			Getenv: func(string) string { return "" },
		})
	}()
	link := regexp.MustCompile(`(http://\S+)/ui/login#(tasker_\S+)`)
	var found []string
	for found == nil {
		select {
		case <-out.more:
			found = link.FindStringSubmatch(out.String())
		case code := <-ended:
			require.Fail(t, "the demo has ended", "%d\n%s", code, out)
		}
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	defer client.CloseIdleConnections()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, found[1]+"/ui/login", strings.NewReader(url.Values{"token": {found[2]}}.Encode()))
	require.NoError(t, err)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	response, err := client.Do(r)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	require.Equal(t, http.StatusSeeOther, response.StatusCode)

	cancel()
	require.Zero(t, <-ended, out.String())
	require.Contains(t, out.String(), "Stopped.")
	var status string
	require.NoError(t, pool.QueryRow(t.Context(), "select status from tasker.list_tokens() where name like 'demo-%'").Scan(&status))
	require.Equal(t, "revoked", status, "the token ends with the demo")
}
