package modules

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Tidy compares each module's go.mod and go.sum with the result of "go mod tidy", and names the files that differ. If write is
// true, it corrects the files instead. No go.sum has the sums of this tree's own modules, since these sums would change with
// every commit.
func (w *World) Tidy(ctx context.Context, write bool) error {
	var untidy []error
	for _, m := range w.Modules {
		w.Say("go mod tidy in %s", m.Dir)
		mod, sum, err := w.tidied(ctx, m)
		if err != nil {
			return fmt.Errorf("%s: %w", m.Path, err)
		}
		for name, text := range map[string]string{"go.mod": mod, "go.sum": sum} {
			file := filepath.Join(w.Root, m.Dir, name)
			now, err := os.ReadFile(file)
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
			if string(now) == text {
				continue
			}
			if !write {
				untidy = append(untidy, fmt.Errorf("%s is not tidy: run make tidy\n%s", filepath.Join(m.Dir, name), difference(string(now), text)))
				continue
			}
			if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
				return err
			}
		}
	}
	return errors.Join(untidy...)
}

// tidied returns the right go.mod and go.sum of a module.
func (w *World) tidied(ctx context.Context, m Module) (mod, sum string, err error) {
	dir, err := os.MkdirTemp(w.dir, "tidy-")
	if err != nil {
		return "", "", err
	}
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(filepath.Join(w.Root, m.Dir, name))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", "", err
		}
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
			return "", "", err
		}
	}
	copied := filepath.Join(dir, "go.mod")
	if _, err := w.run(ctx, filepath.Join(w.Root, m.Dir), "mod", "tidy", "-modfile="+copied); err != nil {
		return "", "", err
	}
	text, err := os.ReadFile(copied)
	if err != nil {
		return "", "", err
	}
	sums, err := os.ReadFile(filepath.Join(dir, "go.sum"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", "", err
	}
	return string(text), withoutOwn(string(sums)), nil
}

func withoutOwn(sums string) string {
	var kept strings.Builder
	for line := range strings.Lines(sums) {
		if name, _, _ := strings.Cut(line, " "); !own(name) {
			kept.WriteString(line)
		}
	}
	return kept.String()
}

// difference lists the lines that only one of two texts has.
func difference(now, then string) string {
	var out strings.Builder
	for _, side := range []struct{ mark, text, other string }{{"-", now, then}, {"+", then, now}} {
		known := map[string]bool{}
		for line := range strings.Lines(side.other) {
			known[line] = true
		}
		for line := range strings.Lines(side.text) {
			if !known[line] {
				out.WriteString(side.mark + line)
			}
		}
	}
	return out.String()
}
