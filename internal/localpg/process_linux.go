package localpg

import "syscall"

// ProcessAttributes are the attributes of a process that runs as owner in a session of
// its own, so that Ctrl-C reaches the tests and not the server, and that gets
// signal when the thread which starts it ends. Linux clears the latter when a
// process changes its user. os/exec sets it after having done so.
func ProcessAttributes(owner *Account, signal syscall.Signal) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{
		Setsid:     true,
		Credential: owner.credential(),
		Pdeathsig:  signal,
	}
}
