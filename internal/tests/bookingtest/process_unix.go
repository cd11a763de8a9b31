//go:build unix

package bookingtest

import (
	"os"
	"syscall"
)

// stopProcess stops a process until it is continued, and reports whether this system can.
func stopProcess(p *os.Process) bool { return p.Signal(syscall.SIGSTOP) == nil }

func continueProcess(p *os.Process) { _ = p.Signal(syscall.SIGCONT) }
