//go:build unix && !linux

package localpg

import "syscall"

// ProcessAttributes are the attributes of a process that runs as owner in a session of its own. Only Linux can tie
// the process to the life of its parent. Elsewhere the sweep of the next start ends the processes that a killed run
// has left.
func ProcessAttributes(owner *Account, _ syscall.Signal) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{
		Setsid:     true,
		Credential: owner.credential(),
	}
}
