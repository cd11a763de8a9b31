package pgserver

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"syscall"

	"github.com/pgtasker/pgtasker/internal/localpg"
)

// crash kills all processes of the cluster, waits until the last process is gone, and starts the server again.
func (c *cluster) crash(ctx context.Context) error {
	parent := c.server.Cmd.Process.Pid
	// The postmaster is stopped first, so that it forks no process while its children are counted.
	if err := syscall.Kill(parent, syscall.SIGSTOP); err != nil {
		return err
	}
	children, err := childrenOf(parent)
	if err != nil {
		return err
	}
	for _, pid := range append(children, parent) {
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil && !errors.Is(err, syscall.ESRCH) {
			return err
		}
	}
	<-c.server.Ended
	return c.startAgain(ctx)
}

// restart ends the server by a signal and starts it again. SIGINT is a clean end. After SIGQUIT the server needs recovery.
func (c *cluster) restart(ctx context.Context, signal syscall.Signal) error {
	if err := c.end(ctx, signal); err != nil {
		return err
	}
	return c.startAgain(ctx)
}

// end sends the server a signal and waits until it has ended.
func (c *cluster) end(ctx context.Context, signal syscall.Signal) error {
	if err := c.server.Signal(signal); err != nil {
		return err
	}
	select {
	case <-c.server.Ended:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("the server did not end: %w", context.Cause(ctx))
	}
}

// startAgain starts the server when the last of its processes is gone.
func (c *cluster) startAgain(ctx context.Context) (err error) {
	// Every process of the server has the lock, so the lock is free when no process is left.
	if c.lock, err = os.OpenFile(c.dir.serverLock(), os.O_RDWR, 0); err != nil {
		return err
	}
	if err := waitLock(ctx, c.lock); err != nil {
		return errors.Join(err, c.lock.Close())
	}
	c.server, err = localpg.StartPostmaster(ctx, c.postgres(ctx), c.log)
	if err != nil {
		err = fmt.Errorf("start again: %w%s", err, c.logText())
	}
	return errors.Join(err, c.lock.Close())
}

// childrenOf returns the processes whose parent is pid.
func childrenOf(pid int) (children []int, err error) {
	files, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil || len(files) == 0 {
		return nil, errors.Join(err, errors.New("the processes of a server cannot be listed: no /proc"))
	}
	for _, file := range files {
		stat, err := os.ReadFile(file)
		if err != nil {
			continue // It has just ended.
		}
		// The line is: pid (name) state parent …, and the name may hold any characters.
		fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
		if len(fields) < 2 || string(fields[1]) != strconv.Itoa(pid) {
			continue
		}
		child, err := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		if err != nil {
			return nil, err
		}
		children = append(children, child)
	}
	return children, nil
}
