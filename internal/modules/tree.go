package modules

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Prefix is the path of the root module, with which the paths of the other modules begin.
const Prefix = "github.com/pgtasker/pgtasker"

// Module is one module of the tree.
type Module struct {
	Path     string
	Dir      string            // from the tree's root, with slashes: "." for the root module
	Go       string            // the version of Go that the module demands
	Requires map[string]string // required modules of this tree → their versions
	Replaces []string          // paths of replaced modules
	Files    []string          // paths from Dir, sorted
}

// Tag is the name of the tag that releases a version of the module.
func (m Module) Tag(version string) string {
	return path.Join(m.Dir, version)
}

// Released reports whether the module is for users. Other modules are built in the tree only.
func (m Module) Released() bool {
	first, _, _ := strings.Cut(m.Dir, "/")
	return !slices.Contains([]string{"bench", "examples", "internal", "tools"}, first)
}

// Load finds the modules among the files that git tracks, or would track, below root.
func Load(ctx context.Context, root string) ([]Module, error) {
	listing := exec.CommandContext(ctx, "git", "-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	text, err := listing.Output()
	if err != nil {
		return nil, fmt.Errorf("git ls-files: %w", err)
	}
	var files []string
	for name := range strings.SplitSeq(strings.TrimSuffix(string(text), "\x00"), "\x00") {
		info, err := os.Lstat(filepath.Join(root, name))
		if err == nil && info.Mode().IsRegular() { // neither deleted since the last commit nor a link
			files = append(files, name)
		}
	}
	slices.Sort(files)
	var all []Module
	for _, name := range files {
		if path.Base(name) == "go.mod" {
			m, err := read(ctx, root, path.Dir(name))
			if err != nil {
				return nil, err
			}
			all = append(all, m)
		}
	}
	for _, name := range slices.Compact(files) {
		i := owner(all, name)
		if i < 0 {
			continue
		}
		local := name
		if all[i].Dir != "." {
			local = strings.TrimPrefix(name, all[i].Dir+"/")
		}
		all[i].Files = append(all[i].Files, local)
	}
	return all, nil
}

// owner returns the index of the innermost module that holds the file, or -1.
func owner(all []Module, name string) int {
	best := -1
	for i, m := range all {
		if m.Dir != "." && !strings.HasPrefix(name, m.Dir+"/") {
			continue
		}
		if best < 0 || len(m.Dir) > len(all[best].Dir) || all[best].Dir == "." {
			best = i
		}
	}
	return best
}

func read(ctx context.Context, root, dir string) (Module, error) {
	cmd := exec.CommandContext(ctx, "go", "mod", "edit", "-json")
	cmd.Dir = filepath.Join(root, dir)
	text, err := cmd.Output()
	if err != nil {
		return Module{}, fmt.Errorf("%s: go mod edit: %w", path.Join(dir, "go.mod"), err)
	}
	var file struct {
		Module  struct{ Path string }
		Go      string
		Require []struct{ Path, Version string }
		Replace []struct{ Old struct{ Path string } }
	}
	if err := json.Unmarshal(text, &file); err != nil {
		return Module{}, err
	}
	m := Module{Path: file.Module.Path, Dir: dir, Go: file.Go, Requires: map[string]string{}}
	for _, r := range file.Require {
		if own(r.Path) {
			m.Requires[r.Path] = r.Version
		}
	}
	for _, r := range file.Replace {
		m.Replaces = append(m.Replaces, r.Old.Path)
	}
	return m, nil
}

func own(name string) bool {
	return name == Prefix || strings.HasPrefix(name, Prefix+"/")
}

// Version is the one version at which the modules require each other.
func Version(all []Module) (string, error) {
	version, asker := "", ""
	for _, m := range all {
		if len(m.Replaces) > 0 {
			return "", fmt.Errorf("%s/go.mod replaces %s: \"go install …@version\" refuses that; say it in go.work",
				m.Dir, strings.Join(m.Replaces, ", "))
		}
		for name, required := range m.Requires {
			if version == "" {
				version, asker = required, m.Path
			}
			if required != version {
				return "", fmt.Errorf("%s requires %s at %s, but %s requires %s", m.Path, name, required, asker, version)
			}
		}
	}
	if version == "" {
		return "", fmt.Errorf("no module requires %s", Prefix)
	}
	return version, nil
}
