package bouncertest_test

import (
	"bytes"
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

const (
	within = 30 * time.Second

	// envPrograms lists the programs to test with, separated by colons.
	envPrograms = "PGTASKER_TEST_PGBOUNCER"
)

// programs returns the PgBouncer programs to test with. It skips the test if there are none.
func programs(t *testing.T) []string {
	t.Helper()
	if named := filepath.SplitList(os.Getenv(envPrograms)); len(named) > 0 {
		return named
	}
	installed, err := exec.LookPath("pgbouncer")
	if err != nil {
		t.Skipf("there is no pgbouncer on the PATH or in %s: make test-pgbouncer fetches and tests two", envPrograms)
	}
	return []string{installed}
}

// bouncer is a running PgBouncer, in front of the tests' server.
type bouncer struct {
	dir string
}

const socketPort = 6432

// startBouncer runs a program until the test ends, with these settings in addition to the strict ones.
func startBouncer(t *testing.T, program string, settings ...string) *bouncer {
	t.Helper()
	dir, err := os.MkdirTemp("", "pgtasker-bouncer-")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(dir)) })

	var config bytes.Buffer
	server, err := pgxpool.ParseConfig(pgtest.ServerURL(t))
	require.NoError(t, err)
	to := server.ConnConfig
	fmt.Fprintf(&config, "[databases]\n* = host=%s port=%d user=%s", to.Host, to.Port, to.User)
	if to.Password != "" {
		fmt.Fprintf(&config, " password=%s", to.Password)
	}
	fmt.Fprintf(&config, "\n[pgbouncer]\nlisten_addr =\nlisten_port = %d\nunix_socket_dir = %s\nauth_type = any\n", socketPort, dir)
	fmt.Fprint(&config, "pool_mode = transaction\ndefault_pool_size = 3\nserver_round_robin = 1\nmax_client_conn = 300\n"+
		"log_connections = 0\nlog_disconnections = 0\n")
	for _, setting := range settings {
		fmt.Fprintln(&config, setting)
	}
	ini := filepath.Join(dir, "pgbouncer.ini")
	require.NoError(t, os.WriteFile(ini, config.Bytes(), 0o644))

	up := make(chan struct{})
	log := &journal{up: up}
	cmd := exec.CommandContext(context.WithoutCancel(t.Context()), program, ini)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, log, log
	cmd.SysProcAttr = confined(unprivileged(t, dir))
	started, ended := make(chan error, 1), make(chan error, 1)
	go func() {
		// Linux signals the process when the thread that started it ends, so that thread must outlive the process.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		started <- err
		if err == nil {
			ended <- cmd.Wait()
		}
	}()
	require.NoError(t, <-started)
	t.Cleanup(func() {
		_ = cmd.Process.Kill() // The process may have ended already, and then the test has failed.
		<-ended
		if t.Failed() {
			t.Logf("%s\n%s", program, log)
		}
	})
	select {
	case <-up:
	case err := <-ended:
		ended <- err
		require.FailNow(t, "pgbouncer does not start", "%v\n%s", err, log)
	case <-time.After(within):
		require.FailNow(t, "pgbouncer does not start", "%s", log)
	}
	return &bouncer{dir: dir}
}

// unprivileged returns the account to run as, because PgBouncer does not run as root, and makes it the owner of dir. The
// server's socket is reachable for this account.
func unprivileged(t *testing.T, dir string) *syscall.Credential {
	t.Helper()
	if os.Geteuid() != 0 {
		return nil
	}
	account, err := user.Lookup("postgres")
	if err != nil {
		account, err = user.Lookup("nobody")
	}
	require.NoError(t, err)
	uid, err := strconv.ParseUint(account.Uid, 10, 32)
	require.NoError(t, err)
	gid, err := strconv.ParseUint(account.Gid, 10, 32)
	require.NoError(t, err)
	require.NoError(t, os.Chown(dir, int(uid), int(gid)))
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
}

// pool returns a pool that reaches the database of another pool through the bouncer.
func (b *bouncer) pool(t *testing.T, direct *pgxpool.Pool, mode string) *pgxpool.Pool {
	t.Helper()
	address := url.URL{
		Scheme: "postgres", User: url.User(direct.Config().ConnConfig.User), Path: "/" + direct.Config().ConnConfig.Database,
		RawQuery: url.Values{
			"host": {b.dir}, "port": {strconv.Itoa(socketPort)}, "default_query_exec_mode": {mode}, "pool_max_conns": {"20"},
			"connect_timeout": {"20"},
		}.Encode(),
	}
	pool, err := pgxpool.New(t.Context(), address.String())
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	return pool
}

// version returns the program's major and minor version.
func version(t *testing.T, program string) (major, minor int) {
	t.Helper()
	said, err := exec.CommandContext(t.Context(), program, "--version").CombinedOutput()
	require.NoError(t, err, "%s", said)
	numbers := regexp.MustCompile(`PgBouncer (\d+)\.(\d+)`).FindSubmatch(said)
	require.NotNil(t, numbers, "%s", said)
	_, err = fmt.Sscan(string(numbers[1]), &major)
	require.NoError(t, err)
	_, err = fmt.Sscan(string(numbers[2]), &minor)
	require.NoError(t, err)
	return major, minor
}

// journal is a log that tests read. up is closed when PgBouncer logs that it is up.
type journal struct {
	mu   sync.Mutex
	text bytes.Buffer
	up   chan struct{}
}

func (j *journal) Write(p []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	n, err := j.text.Write(p)
	if j.up != nil && bytes.Contains(j.text.Bytes(), []byte("process up")) {
		close(j.up)
		j.up = nil
	}
	return n, err
}

func (j *journal) String() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.String()
}
