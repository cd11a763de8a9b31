package pgserver

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/pgtasker/pgtasker/internal/localpg"
)

const runDirPrefix = "pgtasker-test-"

// runDir is the directory of one cluster. The holder of its lock may remove the directory. The holder is its owner,
// or the sweep after the owner's death.
type runDir struct {
	path string
	self *os.File // locked
}

// newRunDir makes a directory in place that only owner and root can enter.
func newRunDir(place string, owner *localpg.Account) (*runDir, error) {
	for {
		path, err := os.MkdirTemp(place, runDirPrefix)
		if err != nil {
			return nil, err
		}
		dir, err := lockRunDir(path)
		if err != nil {
			return nil, err
		}
		if dir == nil {
			continue // a sweep came between the two calls
		}
		if err := owner.Own(path); err != nil {
			return nil, errors.Join(err, dir.remove())
		}
		return dir, nil
	}
}

// lockRunDir returns nil if the directory has an owner or is gone.
func lockRunDir(path string) (*runDir, error) {
	self, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	locked, err := tryLock(self)
	if err != nil || !locked {
		return nil, errors.Join(err, self.Close())
	}
	// The locked directory may have been removed since it was opened.
	same, err := isStill(self, path)
	if err != nil || !same {
		return nil, errors.Join(err, self.Close())
	}
	return &runDir{path: path, self: self}, nil
}

func isStill(file *os.File, path string) (bool, error) {
	opened, err := file.Stat()
	if err != nil {
		return false, err
	}
	now, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil && os.SameFile(opened, now), err
}

// remove removes server.lock after all large files, so that a sweep can go on where a killed sweep stopped.
func (d *runDir) remove() error {
	return errors.Join(os.RemoveAll(d.data()), os.RemoveAll(d.path), d.self.Close())
}

func (d *runDir) data() string       { return filepath.Join(d.path, "data") }
func (d *runDir) log() string        { return filepath.Join(d.path, "server.log") }
func (d *runDir) serverLock() string { return filepath.Join(d.path, "server.lock") }
