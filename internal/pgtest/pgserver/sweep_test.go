package pgserver

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/localpg"
)

func TestSweep_RemovesTheDirectoryOfADeadOwner(t *testing.T) {
	t.Parallel()
	place := t.TempDir()
	dir := newTestRunDir(t, place)
	for _, name := range []string{dir.serverLock(), filepath.Join(dir.path, "left")} {
		require.NoError(t, os.WriteFile(name, nil, 0o600))
	}
	dir.die(t)

	require.NoError(t, sweep(t.Context(), []string{place}))
	require.NoDirExists(t, dir.path)
}

func TestSweep_RemovesAnEmptyDirectoryWhoseOwnerDiedEarly(t *testing.T) {
	t.Parallel()
	place := t.TempDir()
	dir := newTestRunDir(t, place)
	dir.die(t)

	require.NoError(t, sweep(t.Context(), []string{place}))
	require.NoDirExists(t, dir.path)
}

// A child process holds copies of all open files until it runs its program.
func TestSweep_RemovesTheDirectoryOfADeadOwnerWhileProcessesStart(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	var starts sync.WaitGroup
	for range 4 {
		starts.Go(func() {
			for ctx.Err() == nil {
				_ = exec.CommandContext(ctx, "true").Run()
			}
		})
	}
	place := t.TempDir()
	for range 100 {
		dir := newTestRunDir(t, place)
		dir.die(t)
		require.NoError(t, sweep(t.Context(), []string{place}))
		require.NoDirExists(t, dir.path)
	}
	stop()
	starts.Wait()
}

func TestSweep_LeavesADirectoryThatOnlyLooksLikeARunDirectory(t *testing.T) {
	t.Parallel()
	place := t.TempDir()
	file := filepath.Join(place, runDirPrefix+"notes", "mine")
	require.NoError(t, os.Mkdir(filepath.Dir(file), 0o700))
	require.NoError(t, os.WriteFile(file, nil, 0o600))

	require.NoError(t, sweep(t.Context(), []string{place}))
	require.FileExists(t, file)
}

func TestSweep_LeavesTheDirectoryOfALivingOwner(t *testing.T) {
	t.Parallel()
	place := t.TempDir()
	dir := newTestRunDir(t, place)

	require.NoError(t, sweep(t.Context(), []string{place}))
	require.DirExists(t, dir.path)
	require.NoError(t, dir.remove())
}

func TestSweep_LeavesWhatIsNotARunDirectory(t *testing.T) {
	t.Parallel()
	place := t.TempDir()
	other := filepath.Join(place, "other")
	require.NoError(t, os.Mkdir(other, 0o700))

	require.NoError(t, sweep(t.Context(), []string{place}))
	require.DirExists(t, other)
}

// If the kernel does not end the server with its owner, the sweep must do so.
func TestSweep_EndsTheServerOfADeadOwner(t *testing.T) {
	t.Parallel()
	bin := binaries(t)
	owner, err := localpg.ServerAccount()
	require.NoError(t, err)
	place, err := choosePlace(owner)
	require.NoError(t, err)
	c := &cluster{bin: bin, owner: owner, dir: newTestRunDir(t, place).runDir}
	require.NoError(t, c.fill(t.Context()))
	server, err := c.start(t.Context())
	require.NoError(t, err)
	defer func() { require.NoError(t, c.log.Close()) }()
	testRunDir{c.dir}.die(t)

	require.NoError(t, sweepOne(t.Context(), c.dir.path))
	<-server.Ended
	require.NoDirExists(t, c.dir.path)
}

func TestRunDir_IsLockedByItsOwnerAlone(t *testing.T) {
	t.Parallel()
	dir := newTestRunDir(t, t.TempDir())

	second, err := lockRunDir(dir.path)
	require.NoError(t, err)
	require.Nil(t, second)

	require.NoError(t, dir.remove())
	gone, err := lockRunDir(dir.path)
	require.NoError(t, err)
	require.Nil(t, gone)
}

type testRunDir struct{ *runDir }

func newTestRunDir(t *testing.T, place string) testRunDir {
	t.Helper()
	owner, err := localpg.ServerAccount()
	require.NoError(t, err)
	dir, err := newRunDir(place, owner)
	require.NoError(t, err)
	return testRunDir{dir}
}

// die acts as the kernel does when a process ends. A starting process holds a copy of the file, and its lock, until it runs its
// program. So die waits for starting processes, and lets none start meanwhile.
func (d testRunDir) die(t *testing.T) {
	t.Helper()
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	again, err := os.Open(d.path)
	require.NoError(t, err)
	require.NoError(t, d.self.Close())
	require.NoError(t, waitLock(t.Context(), again))
	require.NoError(t, again.Close())
}
