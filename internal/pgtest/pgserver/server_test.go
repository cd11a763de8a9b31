package pgserver

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/localpg"
	"github.com/pgtasker/pgtasker/internal/pgtest/checkout"
)

func TestStart_PrefersTheServerOfTheEnvironment(t *testing.T) {
	t.Setenv(EnvDatabaseURL, "postgres://somebody@else/postgres")
	t.Setenv(EnvServer, "docker")

	server, err := Start(t.Context())
	require.NoError(t, err)
	require.Equal(t, "postgres://somebody@else/postgres", server.URL)
	require.Equal(t, EnvDatabaseURL, server.Origin)
	require.NoError(t, server.Stop())
}

func TestStart_RefusesAServerThatIsNotAURL(t *testing.T) {
	t.Setenv(EnvDatabaseURL, "host=somewhere dbname=postgres")

	_, err := Start(t.Context())
	require.ErrorContains(t, err, "PGTASKER_TEST_DATABASE_URL must be a URL")
}

func TestStart_RefusesAnUnknownKindOfServer(t *testing.T) {
	t.Setenv(EnvDatabaseURL, "")
	t.Setenv(EnvServer, "podman")

	_, err := Start(t.Context())
	require.ErrorContains(t, err, "must be binaries, docker or empty")
}

func TestStart_WithoutAServerSaysWhatToInstall(t *testing.T) {
	t.Setenv(EnvDatabaseURL, "")
	t.Setenv(EnvServer, "binaries")
	t.Setenv(EnvBin, t.TempDir())

	_, err := Start(t.Context())
	require.ErrorContains(t, err, "no initdb and postgres in")
	require.ErrorContains(t, err, "make setup")
	require.ErrorContains(t, err, "tools/servers.sh")
}

func TestBinaries_OfTheEnvironmentComeFirst(t *testing.T) {
	dir := fakeServer(t, t.TempDir())
	t.Setenv(EnvBin, dir)

	found, err := findBinaries(t.Context())
	require.NoError(t, err)
	require.Equal(t, dir, found)
}

func TestBinaries_OfARelativePathAreInTheCheckout(t *testing.T) {
	t.Setenv(EnvBin, "no/such/server")
	root, err := checkout.Root()
	require.NoError(t, err)

	_, err = findBinaries(t.Context())
	require.ErrorContains(t, err, filepath.Join(root, "no/such/server"))
}

func TestPlace_FallsBackFromOneThatIsTooLongOrCannotBeReached(t *testing.T) {
	owner, err := localpg.ServerAccount()
	require.NoError(t, err)
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), strings.Repeat("long", longestPlace/4)))
	require.NoError(t, os.Mkdir(os.TempDir(), 0o700))

	place, err := choosePlace(owner)
	require.NoError(t, err)
	require.Contains(t, []string{memoryDir, "/tmp"}, place)
}

func fakeServer(t *testing.T, dir string) string {
	t.Helper()
	require.NoError(t, os.MkdirAll(dir, 0o755))
	for _, program := range []string{"initdb", "postgres"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, program), []byte("#!/bin/sh\n"), 0o755))
	}
	return dir
}
