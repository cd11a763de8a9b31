package localpg

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
)

// distributions has the places where systems keep one directory per major: Debian, PostgreSQL's own packages for
// Fedora and related systems, and Homebrew.
var distributions = []string{
	"/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin",
	"/opt/homebrew/opt/postgresql@*/bin", "/usr/local/opt/postgresql@*/bin",
}

// Find returns the directory of a server's programs. It prefers the programs to which pg_config or postgres in PATH belongs,
// and otherwise takes the newest programs in the directories of distributions. Its error has a line for each place that was
// searched.
func Find(ctx context.Context) (string, error) {
	if dir := onPath(ctx); dir != "" {
		return dir, nil
	}
	if dir := newest(distributions...); dir != "" {
		return dir, nil
	}
	return "", errors.Join(
		errors.New("PATH: neither pg_config nor postgres leads to a directory with initdb and postgres"),
		fmt.Errorf("%s: no initdb and postgres", strings.Join(distributions, ", ")),
	)
}

func onPath(ctx context.Context) string {
	if out, err := exec.CommandContext(ctx, "pg_config", "--bindir").Output(); err == nil {
		if dir := strings.TrimSpace(string(out)); HoldsServer(dir) {
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
	if dir, err := filepath.Abs(filepath.Dir(program)); err == nil && HoldsServer(dir) {
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
			if err == nil && major > bestMajor && HoldsServer(dir) {
				best, bestMajor = dir, major
			}
		}
	}
	return best
}

// HoldsServer says whether a directory has the programs of a server.
func HoldsServer(dir string) bool {
	return executable(filepath.Join(dir, "initdb")) && executable(filepath.Join(dir, "postgres"))
}

func executable(path string) bool {
	if runtime.GOOS == "windows" {
		_, err := os.Stat(path + ".exe")
		return err == nil
	}
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o111 != 0
}
