package main

import (
	"bytes"
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/internal/pgtest/pgserver"
)

// envMain makes the test binary the command itself.
const envMain = "PGTEST_MAIN"

func TestMain(m *testing.M) {
	if os.Getenv(envMain) != "" {
		main()
	}
	pgtest.Main(m)
}

// pgtestCommand is the command on the tests' own server.
func pgtestCommand(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], args...)
	cmd.Env = append(os.Environ(), envMain+"=1", pgserver.EnvDatabaseURL+"="+pgtest.ServerURL(t))
	return cmd
}

type result struct {
	code           int
	stdout, stderr string
}

func finish(t *testing.T, cmd *exec.Cmd) result {
	t.Helper()
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		require.ErrorAs(t, err, new(*exec.ExitError))
	}
	return result{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}
}
