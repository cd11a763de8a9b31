package pgserver

import (
	"bufio"
	"context"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

func TestCluster_IsReachableByItsSocketOnly(t *testing.T) {
	t.Parallel()
	server := newCluster(t)

	require.Equal(t, "", setting(t, server.URL, "listen_addresses"))
	require.Equal(t, runPath(t, server.URL), setting(t, server.URL, "unix_socket_directories"))

	info, err := os.Stat(runPath(t, server.URL))
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o700), info.Mode().Perm())
}

func TestCluster_HasTheSettingsOfTests(t *testing.T) {
	t.Parallel()
	server := newCluster(t)

	for _, want := range settings {
		name, value, _ := strings.Cut(want, "=")
		require.Equal(t, value, setting(t, server.URL, name), name)
	}
	require.Equal(t, "UTF8", setting(t, server.URL, "server_encoding"))
}

func TestCluster_DoesNotRunAsRoot(t *testing.T) {
	t.Parallel()
	server := newCluster(t)

	info, err := os.Stat(filepath.Join(runPath(t, server.URL), "data", "postmaster.pid"))
	require.NoError(t, err)
	require.NotZero(t, info.Sys().(*syscall.Stat_t).Uid)
}

func TestStop_LeavesNeitherServerNorDirectory(t *testing.T) {
	t.Parallel()
	server, err := startCluster(t.Context(), binaries(t))
	require.NoError(t, err)
	lock := serverLock(t, server.URL)

	require.NoError(t, server.Stop())

	free, err := tryLock(lock)
	require.NoError(t, err)
	require.True(t, free, "a server process is left")
	require.NoDirExists(t, runPath(t, server.URL))
}

func TestStart_StopsWhenItsContextEnds(t *testing.T) {
	t.Parallel()
	bin := binaries(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()

	_, err := startCluster(ctx, bin)
	require.ErrorIs(t, err, context.Canceled)
}

// The test kills the owner, so that the owner cannot clean up. Lack of memory or go test's time limit may kill a test process
// in the same way. The test is not parallel, because another test's start would sweep and so end the server, too.
func TestKilledOwner_EndsItsServerAndTheNextStartCleansUp(t *testing.T) {
	binaries(t)
	owner := exec.CommandContext(t.Context(), os.Args[0])
	owner.Env = append(os.Environ(), envOwner+"=1")
	owner.Stderr = os.Stderr
	_, err := owner.StdinPipe() // the owner would stop at the end of its standard input
	require.NoError(t, err)
	stdout, err := owner.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, owner.Start())
	line, err := bufio.NewReader(stdout).ReadString('\n')
	require.NoError(t, err)
	address := strings.TrimSpace(line)
	lock := serverLock(t, address)
	free, err := tryLock(lock)
	require.NoError(t, err)
	require.False(t, free, "the server runs")

	require.NoError(t, owner.Process.Kill())
	require.Error(t, owner.Wait())

	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	require.NoError(t, waitLock(ctx, lock), "the server outlived its owner")
	require.NoError(t, lock.Close())

	newCluster(t)
	require.NoDirExists(t, runPath(t, address))
}

func newCluster(t *testing.T) *Server {
	t.Helper()
	server, err := startCluster(t.Context(), binaries(t))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, server.Stop()) })
	return server
}

func binaries(t *testing.T) string {
	t.Helper()
	bin, err := findBinaries(t.Context())
	if err != nil {
		t.Skip(ErrNoPrograms)
	}
	return bin
}

// runPath is the directory of the cluster at address.
func runPath(t *testing.T, address string) string {
	t.Helper()
	location, err := url.Parse(address)
	require.NoError(t, err)
	return location.Query().Get("host")
}

func serverLock(t *testing.T, address string) *os.File {
	t.Helper()
	lock, err := os.Open(filepath.Join(runPath(t, address), "server.lock"))
	require.NoError(t, err)
	t.Cleanup(func() { _ = lock.Close() }) // the test may have closed it
	return lock
}

func setting(t *testing.T, address, name string) string {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), address)
	require.NoError(t, err)
	defer func() { require.NoError(t, conn.Close(context.Background())) }()
	var value string
	require.NoError(t, conn.QueryRow(t.Context(), `select current_setting($1)`, name).Scan(&value))
	return value
}
