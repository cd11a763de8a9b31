package pgserver

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/pgtasker/pgtasker/internal/localpg"
)

// quitWithin bounds the time in which a server must end after the signal to quit. It kills its own children after five seconds.
const quitWithin = localpg.QuitWithin

// sweep removes the run directories in places whose owner is dead, and ends their servers. It keeps directories of
// other users.
func sweep(ctx context.Context, places []string) error {
	var failures []error
	for _, place := range places {
		paths, err := filepath.Glob(filepath.Join(place, runDirPrefix+"*"))
		if err != nil {
			return err
		}
		for _, path := range paths {
			if err := sweepOne(ctx, path); err != nil {
				failures = append(failures, fmt.Errorf("sweep %s: %w", path, err))
			}
		}
	}
	return errors.Join(failures...)
}

func sweepOne(ctx context.Context, path string) error {
	dir, err := lockRunDir(path)
	if errors.Is(err, fs.ErrPermission) || dir == nil && err == nil {
		return nil
	}
	if err != nil {
		return err
	}
	if !dir.isCluster() {
		_ = os.Remove(dir.path) // works only for an empty directory, whose owner died early
		return dir.self.Close()
	}
	if err := dir.endServer(ctx); err != nil {
		return errors.Join(err, dir.self.Close())
	}
	return dir.remove()
}

// isCluster says whether a directory is a cluster, so that the sweep does not remove a directory that only has the name of a
// cluster.
func (d *runDir) isCluster() bool {
	info, err := os.Lstat(d.serverLock())
	return err == nil && info.Mode().IsRegular()
}

// endServer ends the directory's server, and returns when no process of the server is left. While a process is left,
// server.lock cannot be taken, so endServer never signals a foreign process.
func (d *runDir) endServer(ctx context.Context) (err error) {
	lock, err := os.Open(d.serverLock())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Close()) }()

	free, err := tryLock(lock)
	if free || err != nil {
		return err
	}
	if pid, ok := d.postmasterPID(); ok {
		// The server may be ending by itself, because of Pdeathsig.
		if err := syscall.Kill(pid, syscall.SIGQUIT); err != nil && !errors.Is(err, syscall.ESRCH) {
			return err
		}
	}
	ctx, cancel := context.WithTimeout(ctx, quitWithin)
	defer cancel()
	return waitLock(ctx, lock)
}

func (d *runDir) postmasterPID() (int, bool) {
	text, err := os.ReadFile(filepath.Join(d.data(), "postmaster.pid"))
	if err != nil {
		return 0, false
	}
	first, _, _ := strings.Cut(string(text), "\n")
	pid, err := strconv.Atoi(strings.TrimSpace(first))
	return pid, err == nil && pid > 0
}
