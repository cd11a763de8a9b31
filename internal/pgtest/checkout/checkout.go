// Package checkout finds the project's files on disk, for tests and tools that need more files than the module
// embeds.
package checkout

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

const module = "module github.com/pgtasker/pgtasker"

// Root returns the directory of the main module's go.mod. It searches the working directory and the directories
// above. Tests of nested modules inside the checkout find the directory, too.
func Root() (string, error) {
	start, err := os.Getwd()
	if err != nil {
		return "", err
	}
	return rootAbove(start)
}

func rootAbove(start string) (string, error) {
	for dir := start; ; dir = filepath.Dir(dir) {
		text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
		for line := range strings.Lines(string(text)) {
			if strings.TrimSpace(line) == module {
				return dir, nil
			}
		}
		if dir == filepath.Dir(dir) {
			return "", fmt.Errorf("no go.mod with %q in %s or above: run inside a checkout of pgtasker", module, start)
		}
	}
}
