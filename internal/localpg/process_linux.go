package localpg

import "syscall"

// ProcessAttributes are the attributes of a process that runs as owner in a session of its own, so that Ctrl-C
// reaches the tests and not the server. The process gets signal when the thread that started it ends. Linux clears
// this setting when a process changes its user, so os/exec sets it after the change.
func ProcessAttributes(owner *Account, signal syscall.Signal) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{
		Setsid:     true,
		Credential: owner.credential(),
		Pdeathsig:  signal,
	}
}
