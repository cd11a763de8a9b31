//go:build unix

package localpg

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
)

// Account is the user that a private cluster runs as. Nil is the current user.
type Account struct {
	Name string
	uid  uint32
	gid  uint32
}

// ServerAccount returns the account for a cluster of the current user: nil, which is the same user, or an unprivileged account
// if the current user is root.
func ServerAccount() (*Account, error) {
	if os.Geteuid() != 0 {
		return nil, nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		found, err := user.Lookup(name)
		if errors.As(err, new(user.UnknownUserError)) {
			continue
		}
		if err != nil {
			return nil, err
		}
		uid, err := strconv.ParseUint(found.Uid, 10, 32)
		if err != nil {
			return nil, err
		}
		gid, err := strconv.ParseUint(found.Gid, 10, 32)
		if err != nil {
			return nil, err
		}
		return &Account{Name: name, uid: uint32(uid), gid: uint32(gid)}, nil
	}
	return nil, errors.New("PostgreSQL does not run as root, and there is no user postgres or nobody")
}

// credential is nil for the current user.
func (a *Account) credential() *syscall.Credential {
	if a == nil {
		return nil
	}
	return &syscall.Credential{Uid: a.uid, Gid: a.gid}
}

// Own gives path to the account.
func (a *Account) Own(path string) error {
	if a == nil {
		return nil
	}
	return os.Chown(path, int(a.uid), int(a.gid))
}

// Reaches returns nil if the account can reach path. Otherwise the error names the directory that the account cannot enter. It
// checks modes only, not access control lists.
func (a *Account) Reaches(path string) error {
	if a == nil {
		return nil
	}
	path, err := filepath.EvalSymlinks(path)
	if err != nil {
		return err
	}
	for dir := path; ; dir = filepath.Dir(dir) {
		info, err := os.Stat(dir)
		if err != nil {
			return err
		}
		if !a.searches(info) {
			return fmt.Errorf("user %s, whom the server runs as, cannot reach %s: %s has mode %s",
				a.Name, path, dir, info.Mode())
		}
		if dir == filepath.Dir(dir) {
			return nil
		}
	}
}

func (a *Account) searches(info fs.FileInfo) bool {
	mode := info.Mode().Perm()
	if owner, ok := info.Sys().(*syscall.Stat_t); ok {
		switch {
		case owner.Uid == a.uid:
			return mode&0o100 != 0
		case owner.Gid == a.gid:
			return mode&0o010 != 0
		}
	}
	return mode&0o001 != 0
}
