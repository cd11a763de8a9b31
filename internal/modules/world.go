package modules

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// World is a place in which the tree's modules are released: a proxy made of files, and a module cache that
// has never seen another version of them.
type World struct {
	Root    string
	Version string
	Modules []Module
	Say     func(format string, args ...any) // is told what begins

	proxy string
	dir   string // for everything that the run leaves
}

// NewWorld packs the tree at root. Close removes what it has made.
func NewWorld(ctx context.Context, root string, say func(string, ...any)) (*World, error) {
	all, err := Load(ctx, root)
	if err != nil {
		return nil, err
	}
	version, err := Version(all)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "pgtasker-modules-")
	if err != nil {
		return nil, err
	}
	w := &World{Root: root, Version: version, Modules: all, Say: say, proxy: filepath.Join(dir, "proxy"), dir: dir}
	return w, Pack(root, w.proxy, version, all)
}

// Close removes the proxy and the directories in which the modules were used.
func (w *World) Close() error {
	return os.RemoveAll(w.dir)
}

// run does one go command in dir as a machine would that knows of no workspace. Its module cache is new: the go command
// remembers what is in the directory of a module's version, and would not see that the tree has changed. Modules of
// others come from the cache of this machine where it has them, and -trimpath has the build cache serve.
func (w *World) run(ctx context.Context, dir string, args ...string) (string, error) {
	shared, err := goEnv(ctx, "GOMODCACHE")
	if err != nil {
		return "", err
	}
	others, err := goEnv(ctx, "GOPROXY")
	if err != nil {
		return "", err
	}
	sums, err := goEnv(ctx, "GOSUMDB")
	if err != nil {
		return "", err
	}
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(),
		"GOWORK=off", "GOFLAGS=-modcacherw -trimpath", "GOBIN="+filepath.Join(w.dir, "bin"),
		"GOMODCACHE="+filepath.Join(w.dir, "cache"), "GOENV=off", "GOPRIVATE=", "GONOPROXY=", "GONOSUMDB="+Prefix, "GOSUMDB="+sums,
		"GOPROXY=file://"+w.proxy+",file://"+filepath.Join(shared, "cache", "download")+","+others,
	)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, &out)
	}
	return out.String(), nil
}

func goEnv(ctx context.Context, name string) (string, error) {
	out, err := exec.CommandContext(ctx, "go", "env", name).Output()
	if err != nil {
		return "", fmt.Errorf("go env %s: %w", name, err)
	}
	return strings.TrimSpace(string(out)), nil
}
