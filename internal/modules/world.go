package modules

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// World is a place in which the tree's modules look as if released. It has a proxy made of files, and a module cache that has
// never seen another version of these modules. Third-party modules are shared with the cache of this machine.
type World struct {
	Root    string
	Version string
	Modules []Module
	Say     func(format string, args ...any) // reports the step that begins

	proxy  string
	dir    string            // holds all files of the run
	around map[string]string // the go command's own settings
}

// NewWorld packs the tree at root. Close removes it.
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
	if w.around, err = goEnv(ctx, "GOMODCACHE", "GOPROXY", "GOSUMDB"); err != nil {
		return nil, errors.Join(err, w.Close())
	}
	if err := shareCache(w.around["GOMODCACHE"], w.cache()); err != nil {
		return nil, errors.Join(err, w.Close())
	}
	return w, Pack(root, w.proxy, version, all)
}

func (w *World) cache() string { return filepath.Join(w.dir, "cache") }

// Close removes the proxy and the directories in which the modules were used.
func (w *World) Close() error {
	return os.RemoveAll(w.dir)
}

// run runs a go command in dir, as on a machine without the workspace. It sets -trimpath, so that the command can use the build
// cache.
func (w *World) run(ctx context.Context, dir string, args ...string) (string, error) {
	return w.runWith(ctx, dir, nil, args...)
}

// runWith is run with more of the environment.
func (w *World) runWith(ctx context.Context, dir string, env []string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(),
		"GOWORK=off", "GOFLAGS=-modcacherw -trimpath", "GOBIN="+filepath.Join(w.dir, "bin"),
		"GOMODCACHE="+w.cache(), "GOENV=off", "GOPRIVATE=", "GONOPROXY=", "GONOSUMDB="+Prefix, "GOSUMDB="+w.around["GOSUMDB"],
		"GOPROXY=file://"+w.proxy+","+w.around["GOPROXY"],
	)
	cmd.Env = append(cmd.Env, env...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, &out)
	}
	return out.String(), nil
}

func goEnv(ctx context.Context, names ...string) (map[string]string, error) {
	out, err := exec.CommandContext(ctx, "go", append([]string{"env", "-json"}, names...)...).Output()
	if err != nil {
		return nil, fmt.Errorf("go env %s: %w", strings.Join(names, " "), err)
	}
	var all map[string]string
	return all, json.Unmarshal(out, &all)
}

// shareCache makes a module cache that shares the modules of another cache, except this tree's modules. The go command
// remembers the contents of the directory of a module's version, and would not see that the tree has changed. Shared
// modules need not be unpacked again.
func shareCache(shared, cache string) error {
	for _, part := range []string{"", filepath.Join("cache", "download")} {
		if err := shareDir(filepath.Join(shared, part), filepath.Join(cache, part), strings.Split(Prefix, "/")); err != nil {
			return err
		}
	}
	return nil
}

// shareDir links the entries of a folder into another folder, except cache and the entries on the path to without.
func shareDir(shared, own string, without []string) error {
	if err := os.MkdirAll(own, 0o755); err != nil {
		return err
	}
	entries, err := os.ReadDir(shared)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, entry := range entries {
		name := entry.Name()
		switch {
		case name == "cache": // The folder cache is shared part by part.
		case name == without[0] && len(without) > 1:
			if err := shareDir(filepath.Join(shared, name), filepath.Join(own, name), without[1:]); err != nil {
				return err
			}
		case name == without[0], strings.HasPrefix(name, without[0]+"@"):
		default:
			if err := os.Symlink(filepath.Join(shared, name), filepath.Join(own, name)); err != nil {
				return err
			}
		}
	}
	return nil
}
