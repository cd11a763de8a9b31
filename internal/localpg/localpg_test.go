//go:build unix

package localpg

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestFind_OnPathAreFoundThroughALink(t *testing.T) {
	dir := fakeServer(t, t.TempDir())
	path := t.TempDir()
	require.NoError(t, os.Symlink(filepath.Join(dir, "postgres"), filepath.Join(path, "postgres")))
	t.Setenv("PATH", path)

	found, err := Find(t.Context())
	require.NoError(t, err)
	require.Equal(t, dir, found)
}

func TestFind_NewestMajorIsANumber(t *testing.T) {
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
	owner, err := ServerAccount()
	require.NoError(t, err)
	closed := t.TempDir()
	require.NoError(t, os.Chmod(closed, 0o700))
	inner := filepath.Join(closed, "bin")
	require.NoError(t, os.Mkdir(inner, 0o755))

	require.ErrorContains(t, owner.Reaches(inner), closed+" has mode drwx------")
	require.NoError(t, owner.Reaches("/usr/lib"))
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
