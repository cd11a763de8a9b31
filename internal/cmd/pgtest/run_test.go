package main

import (
	"bufio"
	"net/url"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/internal/pgtest/pgserver"
)

func TestRun_GivesTheCommandTheServersURL(t *testing.T) {
	t.Parallel()
	got := finish(t, pgtestCommand(t, "run", "--", "sh", "-c", `printf %s "$PGTASKER_TEST_DATABASE_URL"`))
	require.Zero(t, got.code)
	require.Equal(t, pgtest.ServerURL(t), got.stdout)
	require.Regexp(t, `^pgtest: PostgreSQL \S+ \(PGTASKER_TEST_DATABASE_URL\)\n$`, got.stderr)
}

func TestRun_PassesTheExitCode(t *testing.T) {
	t.Parallel()
	require.Equal(t, 7, finish(t, pgtestCommand(t, "run", "--", "sh", "-c", "exit 7")).code)
	require.Equal(t, 128+9, finish(t, pgtestCommand(t, "run", "--", "sh", "-c", "kill -9 $$")).code)
}

func TestRun_AnUnknownCommandIsAnError(t *testing.T) {
	t.Parallel()
	got := finish(t, pgtestCommand(t, "run", "--", "no-such-command"))
	require.Equal(t, 127, got.code)
	require.Contains(t, got.stderr, "no-such-command")
}

func TestRun_PassesSignals(t *testing.T) {
	t.Parallel()
	cmd := pgtestCommand(t, "run", "--", "sh", "-c",
		`trap 'exit 7' TERM; echo ready; while :; do sleep 0.1 & wait; done`)
	stdout, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	line, err := bufio.NewReader(stdout).ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, "ready\n", line)

	require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
	require.Error(t, cmd.Wait())
	require.Equal(t, 7, cmd.ProcessState.ExitCode())
}

func TestRun_StopsTheServerThatItStarted(t *testing.T) {
	t.Parallel()
	cmd := pgtestCommand(t, "run", "--", "sh", "-c", `printf %s "$PGTASKER_TEST_DATABASE_URL"`)
	cmd.Env = append(cmd.Env, pgserver.EnvDatabaseURL+"=", pgserver.EnvServer+"=binaries")
	got := finish(t, cmd)
	if strings.Contains(got.stderr, "no PostgreSQL server") {
		t.Skip(pgserver.ErrNoPrograms)
	}
	require.Zero(t, got.code, got.stderr)
	require.NotEqual(t, pgtest.ServerURL(t), got.stdout)

	location, err := url.Parse(got.stdout)
	require.NoError(t, err)
	_, err = os.Stat(location.Query().Get("host"))
	require.ErrorIs(t, err, os.ErrNotExist)
}

func TestCommand_ThatIsUnknownShowsTheUsage(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{}, {"nonsense"}, {"run"}, {"pgtap", "--nonsense"}} {
		got := finish(t, pgtestCommand(t, args...))
		require.Equal(t, 2, got.code, args)
		require.Contains(t, got.stderr, "usage:", args)
	}
}

func TestPsql_IsOnAMigratedDatabase(t *testing.T) {
	t.Parallel()
	requireProgram(t, "psql")
	cmd := pgtestCommand(t, "psql", "-XAt")
	cmd.Stdin = strings.NewReader(`select to_regnamespace('tasker') is not null;`)
	got := finish(t, cmd)
	require.Zero(t, got.code, got.stderr)
	require.Equal(t, "t\n", got.stdout)
}
