//go:build unix && !linux

package bouncertest_test

import "syscall"

// confined runs a process as that account, or as our own account if it is nil.
func confined(account *syscall.Credential) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Credential: account}
}
