package pgserver

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"syscall"
	"time"
)

// postmaster is a server process that this process has started.
type postmaster struct {
	cmd   *exec.Cmd
	ended chan struct{} // closed after exited is set
	exit  error
}

// startPostmaster returns when the server accepts connections. cmd's standard
// error must be unset; it goes to log.
func startPostmaster(ctx context.Context, cmd *exec.Cmd, log *os.File) (*postmaster, error) {
	watch := &logWatch{file: log, ready: make(chan struct{})}
	cmd.Stderr = watch
	cmd.WaitDelay = quitWithin
	p := &postmaster{cmd: cmd, ended: make(chan struct{})}

	started := make(chan error, 1)
	go p.run(started)
	if err := <-started; err != nil {
		<-p.ended
		return nil, err
	}

	select {
	case <-watch.ready:
		return p, nil
	case <-p.ended:
		return nil, fmt.Errorf("the server ended while it started: %s", p.cmd.ProcessState)
	case <-ctx.Done():
		return nil, errors.Join(fmt.Errorf("the server did not start: %w", context.Cause(ctx)), p.quit())
	}
}

// run owns the process from its start to its end, on a thread of its own: the
// kernel signals the process when the thread that forked it ends.
func (p *postmaster) run(started chan<- error) {
	runtime.LockOSThread() // for good: the thread ends with the goroutine
	defer close(p.ended)
	err := p.cmd.Start()
	started <- err
	if err == nil {
		p.exit = p.cmd.Wait()
	}
}

// quit ends the server without a checkpoint: its files are not read again.
func (p *postmaster) quit() error {
	if err := p.signal(syscall.SIGQUIT); err != nil {
		return err
	}
	timer := time.NewTimer(quitWithin)
	defer timer.Stop()
	select {
	case <-p.ended:
		return nil
	case <-timer.C:
	}
	if err := p.signal(syscall.SIGKILL); err != nil {
		return err
	}
	<-p.ended
	return fmt.Errorf("the server did not quit within %s and was killed", quitWithin)
}

func (p *postmaster) signal(signal os.Signal) error {
	err := p.cmd.Process.Signal(signal)
	if errors.Is(err, os.ErrProcessDone) {
		return nil
	}
	return err
}

// logWatch copies a server's log to a file and tells when the server is ready.
type logWatch struct {
	file  *os.File
	ready chan struct{}

	once sync.Once
	last []byte // the unfinished line
}

// A standby says "read-only connections".
var readyLine = []byte("database system is ready to accept ")

func (w *logWatch) Write(text []byte) (int, error) {
	w.last = append(w.last, text...)
	if bytes.Contains(w.last, readyLine) {
		w.once.Do(func() { close(w.ready) })
	}
	w.last = append(w.last[:0], w.last[bytes.LastIndexByte(w.last, '\n')+1:]...)
	return w.file.Write(text)
}
