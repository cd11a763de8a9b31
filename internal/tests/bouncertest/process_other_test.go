//go:build unix && !linux

package bouncertest_test

import "syscall"

// confined runs a process as that account, nil for our own.
func confined(account *syscall.Credential) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Credential: account}
}
