package bouncertest_test

import "syscall"

// confined runs a process as that account, nil for our own, and ends it if ours dies.
func confined(account *syscall.Credential) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Credential: account, Pdeathsig: syscall.SIGKILL}
}
