package pgserver

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/pgtasker/pgtasker/internal/localpg"
	"github.com/pgtasker/pgtasker/internal/pgtest/checkout"
)

// findBinaries returns the directory of a server's programs. Its error has a
// line for each place that was searched.
func findBinaries(ctx context.Context) (string, error) {
	if dir := os.Getenv(EnvBin); dir != "" {
		dir, err := fromRoot(dir)
		if err != nil {
			return "", err
		}
		if !localpg.HoldsServer(dir) {
			return "", fmt.Errorf("%s: no initdb and postgres in %s", EnvBin, dir)
		}
		return dir, nil
	}
	dir, err := localpg.Find(ctx)
	if err != nil {
		return "", errors.Join(fmt.Errorf("%s: not set", EnvBin), err)
	}
	return dir, nil
}

// fromRoot makes a relative path absolute. go test changes the working directory to the package's directory, so a
// relative path starts at the root of the checkout.
func fromRoot(path string) (string, error) {
	if filepath.IsAbs(path) {
		return path, nil
	}
	root, err := checkout.Root()
	return filepath.Join(root, path), err
}
