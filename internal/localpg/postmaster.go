//go:build unix

package localpg

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

// Postmaster is a server process that this process has started.
type Postmaster struct {
	Cmd   *exec.Cmd
	Ended chan struct{} // closed after exit is set
	exit  error
}

// StartPostmaster starts a server, and returns when the server accepts connections. The standard error of cmd must be unset,
// because StartPostmaster writes it to log.
func StartPostmaster(ctx context.Context, cmd *exec.Cmd, log *os.File) (*Postmaster, error) {
	watch := &logWatch{file: log, ready: make(chan struct{})}
	cmd.Stderr = watch
	cmd.WaitDelay = QuitWithin
	p := &Postmaster{Cmd: cmd, Ended: make(chan struct{})}

	started := make(chan error, 1)
	go p.run(started)
	if err := <-started; err != nil {
		<-p.Ended
		return nil, err
	}

	select {
	case <-watch.ready:
		return p, nil
	case <-p.Ended:
		return nil, fmt.Errorf("the server ended while it started: %s", p.Cmd.ProcessState)
	case <-ctx.Done():
		return nil, errors.Join(fmt.Errorf("the server did not start: %w", context.Cause(ctx)), p.Quit())
	}
}

// run owns the process from its start to its end. It has a thread of its own, because the kernel signals the process
// when the thread that forked it ends.
func (p *Postmaster) run(started chan<- error) {
	runtime.LockOSThread() // for good: the thread ends with the goroutine
	defer close(p.Ended)
	err := p.Cmd.Start()
	started <- err
	if err == nil {
		p.exit = p.Cmd.Wait()
	}
}

// Quit ends the server without a checkpoint, since its files are not read again.
func (p *Postmaster) Quit() error {
	if err := p.Signal(syscall.SIGQUIT); err != nil {
		return err
	}
	timer := time.NewTimer(QuitWithin)
	defer timer.Stop()
	select {
	case <-p.Ended:
		return nil
	case <-timer.C:
	}
	if err := p.Signal(syscall.SIGKILL); err != nil {
		return err
	}
	<-p.Ended
	return fmt.Errorf("the server did not quit within %s and was killed", QuitWithin)
}

// Signal sends the server a signal. It returns no error if the server has ended.
func (p *Postmaster) Signal(signal os.Signal) error {
	err := p.Cmd.Process.Signal(signal)
	if errors.Is(err, os.ErrProcessDone) {
		return nil
	}
	return err
}

// logWatch copies a server's log to a file, and reports when the server is ready.
type logWatch struct {
	file  *os.File
	ready chan struct{}

	once sync.Once
	last []byte // the unfinished line
}

// A standby logs "… ready to accept read-only connections".
var readyLine = []byte("database system is ready to accept ")

func (w *logWatch) Write(text []byte) (int, error) {
	w.last = append(w.last, text...)
	if bytes.Contains(w.last, readyLine) {
		w.once.Do(func() { close(w.ready) })
	}
	w.last = append(w.last[:0], w.last[bytes.LastIndexByte(w.last, '\n')+1:]...)
	return w.file.Write(text)
}
