package pgserver

import (
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/pgtasker/pgtasker/internal/localpg"
)

// longestPlace keeps the socket's path below the 108 bytes that the kernel
// allows.
const longestPlace = 60

// places are the directories in which clusters may be, the best first. Memory is best, and not only for reading and
// writing. A database has some hundred files, and a disk's file system takes ten times as long to make them.
func places() []string {
	all := []string{os.TempDir(), "/tmp"}
	if memoryDir != "" {
		all = slices.Insert(all, 0, memoryDir)
	}
	return slices.Compact(all)
}

// choosePlace returns the best place that owner can use.
func choosePlace(owner *localpg.Account) (string, error) {
	var failures []error
	for _, dir := range places() {
		err := owner.Reaches(dir)
		switch {
		case err != nil:
		case len(dir) > longestPlace:
			err = fmt.Errorf("%s is too long for the path of a socket", dir)
		case dir == memoryDir && !roomInMemory():
			err = fmt.Errorf("%s has no room", dir)
		default:
			return dir, nil
		}
		failures = append(failures, err)
	}
	return "", fmt.Errorf("no directory for a cluster: %w", errors.Join(failures...))
}
