package modules

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// Build installs the tool for a platform as "go install …/cmd/tasker@version" does, without cgo and without data for debuggers,
// and returns the path of the program. The same command gives the same bytes on every machine.
func (w *World) Build(ctx context.Context, goos, goarch string) (string, error) {
	home := filepath.Join(w.dir, "gopath")
	w.Say("go install %s/cmd/tasker@%s for %s/%s", Prefix, w.Version, goos, goarch)
	_, err := w.runWith(ctx, w.dir,
		[]string{"GOBIN=", "GOPATH=" + home, "GOOS=" + goos, "GOARCH=" + goarch, "CGO_ENABLED=0"},
		"install", "-ldflags=-s -w", Prefix+"/cmd/tasker@"+w.Version)
	if err != nil {
		return "", err
	}
	name := "tasker"
	if goos == "windows" {
		name += ".exe"
	}
	if goos == runtime.GOOS && goarch == runtime.GOARCH {
		return filepath.Join(home, "bin", name), nil
	}
	return filepath.Join(home, "bin", goos+"_"+goarch, name), nil
}

// Source is the place of the source of a module's version.
type Source struct{ Path, Version, Dir, Sum string }

// Sources returns the places of the sources of modules, each named path@version.
func (w *World) Sources(ctx context.Context, names ...string) (found []Source, err error) {
	dir, err := os.MkdirTemp(w.dir, "sources-")
	if err != nil {
		return nil, err
	}
	out, err := w.run(ctx, dir, append([]string{"mod", "download", "-json"}, names...)...)
	if err != nil {
		return nil, err
	}
	for decoder := json.NewDecoder(strings.NewReader(out)); decoder.More(); {
		var one Source
		if err := decoder.Decode(&one); err != nil {
			return nil, err
		}
		found = append(found, one)
	}
	return found, nil
}

// Vendor makes a module that imports the tool's third-party packages, vendors its dependencies, and builds it from the
// vendored sources alone.
func (w *World) Vendor(ctx context.Context) error {
	dir, err := os.MkdirTemp(w.dir, "vendor-")
	if err != nil {
		return err
	}
	if _, err := w.run(ctx, dir, "mod", "init", "example.com/shop"); err != nil {
		return err
	}
	w.Say("go mod vendor, and go build -mod=vendor without a proxy")
	if _, err := w.run(ctx, dir, "get", Prefix+"@"+w.Version); err != nil {
		return err
	}
	source := "package shop\n\nimport _ \"" + Prefix + "/worker\"\n"
	if err := os.WriteFile(filepath.Join(dir, "shop.go"), []byte(source), 0o644); err != nil {
		return err
	}
	for _, args := range [][]string{{"mod", "tidy"}, {"mod", "vendor"}} {
		if _, err := w.run(ctx, dir, args...); err != nil {
			return err
		}
	}
	_, err = w.runWith(ctx, dir, []string{"GOPROXY=off", "GOMODCACHE=" + filepath.Join(w.dir, "empty"), "GOFLAGS=-mod=vendor -trimpath"}, "build", "./...")
	return err
}
