package pgserver

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/pgtasker/pgtasker/internal/pgtest/checkout"
)

// distributions is where systems keep one directory per major: Debian, PostgreSQL's own packages for Fedora and its
// kin, Homebrew.
var distributions = []string{
	"/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin",
	"/opt/homebrew/opt/postgresql@*/bin", "/usr/local/opt/postgresql@*/bin",
}

// findBinaries returns the directory of a server's programs. Its error has a
// line for each place that was looked at.
func findBinaries(ctx context.Context) (string, error) {
	if dir := os.Getenv(EnvBin); dir != "" {
		dir, err := fromRoot(dir)
		if err != nil {
			return "", err
		}
		if !holdsServer(dir) {
			return "", fmt.Errorf("%s: no initdb and postgres in %s", EnvBin, dir)
		}
		return dir, nil
	}
	if dir := onPath(ctx); dir != "" {
		return dir, nil
	}
	if dir := newest(distributions...); dir != "" {
		return dir, nil
	}
	return "", errors.Join(
		fmt.Errorf("%s: not set", EnvBin),
		errors.New("PATH: neither pg_config nor postgres leads to a directory with initdb and postgres"),
		fmt.Errorf("%s: no initdb and postgres", strings.Join(distributions, ", ")),
	)
}

// fromRoot makes a relative path absolute: go test changes the working
// directory to the package's, so such a path is meant from the checkout.
func fromRoot(path string) (string, error) {
	if filepath.IsAbs(path) {
		return path, nil
	}
	root, err := checkout.Root()
	return filepath.Join(root, path), err
}

func onPath(ctx context.Context) string {
	if out, err := exec.CommandContext(ctx, "pg_config", "--bindir").Output(); err == nil {
		if dir := strings.TrimSpace(string(out)); holdsServer(dir) {
			return dir
		}
	}
	program, err := exec.LookPath("postgres")
	if err != nil {
		return ""
	}
	if target, err := filepath.EvalSymlinks(program); err == nil {
		program = target
	}
	if dir, err := filepath.Abs(filepath.Dir(program)); err == nil && holdsServer(dir) {
		return dir
	}
	return ""
}

// newest returns the directory of the highest major that the patterns, which have one directory per major, match.
func newest(patterns ...string) string {
	best, bestMajor := "", -1
	for _, pattern := range patterns {
		dirs, err := filepath.Glob(pattern)
		if err != nil {
			continue // a pattern that is none
		}
		for _, dir := range dirs {
			name := filepath.Base(filepath.Dir(dir))
			major, err := strconv.Atoi(name[strings.LastIndexAny(name, "-@")+1:])
			if err == nil && major > bestMajor && holdsServer(dir) {
				best, bestMajor = dir, major
			}
		}
	}
	return best
}

func holdsServer(dir string) bool {
	return executable(filepath.Join(dir, "initdb")) && executable(filepath.Join(dir, "postgres"))
}

func executable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o111 != 0
}
