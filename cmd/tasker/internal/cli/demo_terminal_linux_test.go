package cli

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestMakeDemo_EndsOnThePageInATerminal runs the first command of a new user in a terminal and presses
// Ctrl+C at the end.
func TestMakeDemo_EndsOnThePageInATerminal(t *testing.T) {
	t.Parallel()
	master, terminal := openTerminal(t, 120, 40)
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	demo := exec.CommandContext(ctx, "make", "-s", "-C", "../../../..", "demo")
	demo.Env = slices.DeleteFunc(os.Environ(), func(name string) bool {
		return strings.HasPrefix(name, "DATABASE_URL=") || strings.HasPrefix(name, "MAKE")
	})
	demo.Stdin, demo.Stdout, demo.Stderr = terminal, terminal, terminal
	demo.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	require.NoError(t, demo.Start())
	require.NoError(t, terminal.Close())

	link := regexp.MustCompile(`(http://[^/]+)/ui/login#(tasker_[\w-]+)`)
	var written strings.Builder
	pressed, piece := false, make([]byte, 4096)
	for {
		n, err := master.Read(piece)
		written.Write(piece[:n])
		if err != nil {
			require.ErrorIs(t, err, syscall.EIO) // the error on Linux when every process has closed the terminal
			break
		}
		if found := link.FindStringSubmatch(written.String()); found != nil && !pressed && strings.Contains(written.String(), "Stop with Ctrl+C.") {
			pressed = true
			requireLife(ctx, t, found[1], found[2])
			_, err := master.WriteString("\x03")
			require.NoError(t, err)
		}
	}
	_ = demo.Wait() // make reports that it was interrupted
	require.True(t, pressed, written.String())
	require.Contains(t, written.String(), "Stopped.", "the demo ends in order, with its worker and its token")
	require.NotContains(t, written.String(), "panic")
}

// requireLife waits until the list of tasks has changed twice, so that new orders keep coming.
func requireLife(ctx context.Context, t *testing.T, address, token string) {
	t.Helper()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address+"/ui/tasks", nil)
	require.NoError(t, err)
	r.Header.Set("Accept", "text/event-stream")
	r.AddCookie(&http.Cookie{Name: "pgtasker_session", Value: token})
	client := &http.Client{Transport: &http.Transport{}}
	defer client.CloseIdleConnections()
	response, err := client.Do(r)
	require.NoError(t, err)
	defer func() { _ = response.Body.Close() }()
	require.Equal(t, http.StatusOK, response.StatusCode)
	lines, marks := bufio.NewReader(response.Body), 0
	for marks < 3 {
		line, err := lines.ReadString('\n')
		require.NotErrorIs(t, err, io.EOF)
		require.NoError(t, err)
		if strings.HasPrefix(line, "data: ") {
			marks++
		}
	}
}
