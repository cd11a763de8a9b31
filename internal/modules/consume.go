package modules

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Consume follows a user's steps from empty directories. It installs the command-line tool. For each module it makes a new
// module that requires it, and one more that requires all modules. It tidies and builds these modules. Then it vendors the
// library.
func (w *World) Consume(ctx context.Context) error {
	if err := w.install(ctx); err != nil {
		return err
	}
	var every []Module
	for _, m := range w.Modules {
		if !m.Released() || m.Path == Prefix+"/cmd/tasker" {
			continue
		}
		every = append(every, m)
		if err := w.get(ctx, m); err != nil {
			return err
		}
	}
	if err := w.get(ctx, every...); err != nil {
		return err
	}
	return w.Vendor(ctx)
}

// install installs the tool, and has it print its version.
func (w *World) install(ctx context.Context) error {
	dir, err := os.MkdirTemp(w.dir, "install-")
	if err != nil {
		return err
	}
	target := Prefix + "/cmd/tasker@" + w.Version
	w.Say("go install %s", target)
	if _, err := w.run(ctx, dir, "install", target); err != nil {
		return err
	}
	out, err := exec.CommandContext(ctx, filepath.Join(w.dir, "bin", "tasker"), "--version").CombinedOutput()
	if err != nil {
		return fmt.Errorf("tasker --version: %w\n%s", err, out)
	}
	if want := "tasker " + w.Version + "\n"; string(out) != want {
		return fmt.Errorf("tasker --version prints %q, not %q", out, want)
	}
	return nil
}

// get makes a module that imports every package of the given modules, tidies it and builds it.
func (w *World) get(ctx context.Context, others ...Module) error {
	dir, err := os.MkdirTemp(w.dir, "get-")
	if err != nil {
		return err
	}
	if _, err := w.run(ctx, dir, "mod", "init", "example.com/shop"); err != nil {
		return err
	}
	text := strings.Builder{}
	text.WriteString("package shop\n\nimport (\n")
	for _, m := range others {
		w.Say("go get %s@%s", m.Path, w.Version)
		if _, err := w.run(ctx, dir, "get", m.Path+"@"+w.Version); err != nil {
			return err
		}
		for _, name := range m.packages() {
			fmt.Fprintf(&text, "\t_ %q\n", name)
		}
	}
	text.WriteString(")\n")
	if err := os.WriteFile(filepath.Join(dir, "shop.go"), []byte(text.String()), 0o644); err != nil {
		return err
	}
	for _, args := range [][]string{{"mod", "tidy"}, {"build", "./..."}} {
		if _, err := w.run(ctx, dir, args...); err != nil {
			return fmt.Errorf("a package that imports %d modules of this tree: %w", len(others), err)
		}
	}
	return nil
}

// packages returns the paths of the packages that a program can import.
func (m Module) packages() []string {
	seen := map[string]bool{}
	var all []string
	for _, name := range m.Files {
		dir, file := filepath.Split(filepath.FromSlash(name))
		dir = filepath.ToSlash(filepath.Clean(dir))
		if !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") || seen[dir] || hidden(dir) {
			continue
		}
		seen[dir] = true
		all = append(all, strings.TrimSuffix(m.Path+"/"+dir, "/."))
	}
	return all
}

// hidden reports whether the packages in dir cannot be imported at all, or not from outside of the tree.
func hidden(dir string) bool {
	for part := range strings.SplitSeq(dir, "/") {
		if part == "internal" || part == "testdata" || part == "examples" || part == "cmd" {
			return true
		}
	}
	return false
}
