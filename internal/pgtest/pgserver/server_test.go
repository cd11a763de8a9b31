package pgserver

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

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

func TestBinaries_OnPathAreFoundThroughALink(t *testing.T) {
	dir := fakeServer(t, t.TempDir())
	path := t.TempDir()
	require.NoError(t, os.Symlink(filepath.Join(dir, "postgres"), filepath.Join(path, "postgres")))
	t.Setenv(EnvBin, "")
	t.Setenv("PATH", path)

	found, err := findBinaries(t.Context())
	require.NoError(t, err)
	require.Equal(t, dir, found)
}

func TestBinaries_NewestMajorIsANumber(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	fakeServer(t, filepath.Join(root, "9", "bin"))
	want := fakeServer(t, filepath.Join(root, "18", "bin"))
	require.NoError(t, os.MkdirAll(filepath.Join(root, "19", "bin"), 0o755)) // client only

	require.Equal(t, want, newest(filepath.Join(root, "*", "bin")))
	brewed := fakeServer(t, filepath.Join(root, "opt", "postgresql@20", "bin"))
	require.Equal(t, brewed, newest(filepath.Join(root, "*", "bin"), filepath.Join(root, "opt", "*", "bin")))
	require.Empty(t, newest(filepath.Join(root, "none", "*", "bin")))
}

func TestAccount_NamesTheDirectoryThatItCannotEnter(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("a server of the current user reaches what the user reaches")
	}
	owner, err := serverAccount()
	require.NoError(t, err)
	closed := t.TempDir()
	require.NoError(t, os.Chmod(closed, 0o700))
	inner := filepath.Join(closed, "bin")
	require.NoError(t, os.Mkdir(inner, 0o755))

	require.ErrorContains(t, owner.reaches(inner), closed+" has mode drwx------")
	require.NoError(t, owner.reaches("/usr/lib"))
}

func TestPlace_FallsBackFromOneThatIsTooLongOrCannotBeReached(t *testing.T) {
	owner, err := serverAccount()
	require.NoError(t, err)
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), strings.Repeat("long", longestPlace/4)))
	require.NoError(t, os.Mkdir(os.TempDir(), 0o700))

	place, err := choosePlace(owner)
	require.NoError(t, err)
	require.Contains(t, []string{memoryDir, "/tmp"}, place)
}

func TestLogWatch_SeesALineThatComesInPieces(t *testing.T) {
	t.Parallel()
	file, err := os.Create(filepath.Join(t.TempDir(), "log"))
	require.NoError(t, err)
	defer func() { require.NoError(t, file.Close()) }()
	watch := &logWatch{file: file, ready: make(chan struct{})}

	for _, piece := range []string{"LOG:  starting\nLOG:  database system is rea", "dy to accept", " connections\n", "LOG:  more\n"} {
		_, err := watch.Write([]byte(piece))
		require.NoError(t, err)
	}

	select {
	case <-watch.ready:
	default:
		t.Fatal("the ready line was not seen")
	}
	text, err := os.ReadFile(file.Name())
	require.NoError(t, err)
	require.Equal(t, "LOG:  starting\nLOG:  database system is ready to accept connections\nLOG:  more\n", string(text))
}

func fakeServer(t *testing.T, dir string) string {
	t.Helper()
	require.NoError(t, os.MkdirAll(dir, 0o755))
	for _, program := range []string{"initdb", "postgres"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, program), []byte("#!/bin/sh\n"), 0o755))
	}
	return dir
}
