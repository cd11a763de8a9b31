package pgserver

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"
)

// tryLock takes the exclusive lock on file, which may be a directory. It returns false if another open file has the
// lock. The kernel drops the lock when the last copy of file is closed in any process, also by the end of the
// process.
func tryLock(file *os.File) (bool, error) {
	err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("lock %s: %w", file.Name(), err)
	}
	return true, nil
}

// waitLock takes the exclusive lock on file as soon as the lock is free. It tries again and again, because a blocking
// flock could not be cancelled.
func waitLock(ctx context.Context, file *os.File) error {
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		locked, err := tryLock(file)
		if locked || err != nil {
			return err
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return fmt.Errorf("wait for the lock on %s: %w", file.Name(), context.Cause(ctx))
		}
	}
}
