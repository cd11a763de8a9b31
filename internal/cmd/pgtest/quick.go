package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pgtasker/pgtasker/internal/gotest"
)

// quickLimit is the number of pgTAP files in a quick run. They take a quarter of a minute on two quiet cores.
const quickLimit = 120

// quickTime is the longest time of a quick run, without compiling. Go tests that take longer are ended.
const quickTime = 55 * time.Second

// choice has the tests of a quick run.
type choice struct {
	pgtap    []string
	packages map[string][]string // module → packages
	left     []string            // the files for which a quick run has no time
	order    []string            // the order of the modules
}

func (s *suiteRun) quick(ctx context.Context, c choice) {
	began := time.Now()
	s.pgtap(ctx, c.pgtap)
	for _, module := range c.order {
		left := quickTime - time.Since(began)
		if left < time.Second {
			c.left = append(c.left, "go test "+module)
			continue
		}
		s.goTests(ctx, module, c.packages[module], left.Round(time.Second))
		c.left = append(c.left, s.unfinished()...)
	}
	if len(c.left) > 0 {
		s.say("left to make test, because there is not the time: %s", strings.Join(c.left, " "))
	}
}

// unfinished removes from the last part the packages for which the time was too short. No test of these packages has
// failed.
func (s *suiteRun) unfinished() (names []string) {
	if len(s.parts) == 0 {
		return nil
	}
	last := &s.parts[len(s.parts)-1]
	last.failures = slices.DeleteFunc(last.failures, func(f gotest.Failure) bool {
		if f.Unfinished() {
			names = append(names, f.Package)
			return true
		}
		return false
	})
	return names
}

// changes returns the files that differ from the commit at which this branch left base, tracked or not.
func changes(ctx context.Context, root, base string) ([]string, error) {
	from := "HEAD"
	if out, err := git(ctx, root, "merge-base", "HEAD", base); err == nil {
		from = strings.TrimSpace(out)
	}
	changed, err := git(ctx, root, "diff", "--name-only", from)
	if err != nil {
		return nil, err
	}
	added, err := git(ctx, root, "ls-files", "--others", "--exclude-standard")
	if err != nil {
		return nil, err
	}
	files := strings.Fields(changed + added)
	slices.Sort(files)
	return slices.Compact(files), nil
}

func git(ctx context.Context, root string, args ...string) (string, error) {
	out, err := exec.CommandContext(ctx, "git", append([]string{"-C", root}, args...)...).Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return "", fmt.Errorf("git %s: %s", args[0], strings.TrimSpace(string(exit.Stderr)))
	}
	return string(out), err
}

// choose returns the tests of conventions, then the pgTAP folders of changed functions and tests, then the folders of their
// callers, the nearest callers first. It also returns the packages of changed Go files.
func choose(root string, changed, modules []string) choice {
	c := choice{pgtap: []string{"pgtap/conventions"}, packages: map[string][]string{}}
	room := quickLimit
	folders := map[string]bool{"pgtap/conventions": true}
	take := func(folder string) (fits bool) {
		if folder == "" || folders[folder] {
			return true
		}
		folders[folder] = true
		files, err := filepath.Glob(filepath.Join(root, folder, "*.sql"))
		if err != nil || len(files) == 0 {
			return true
		}
		if len(files) > room {
			return false
		}
		room -= len(files)
		c.pgtap = append(c.pgtap, folder)
		return true
	}
	for _, name := range changed {
		if folder := pgtapFolder(name); !take(folder) {
			c.left = append(c.left, folder)
		}
		if path.Ext(name) != ".go" {
			continue
		}
		module, pkg, ok := packageOf(root, name, modules)
		if !ok || slices.Contains(c.packages[module], pkg) {
			continue
		}
		c.packages[module] = append(c.packages[module], pkg)
	}
	for _, module := range modules {
		if len(c.packages[module]) > 0 {
			c.order = append(c.order, module)
		}
	}
	for _, folder := range callersFolders(root, changed) {
		if !take(folder) {
			break
		}
	}
	return c
}

// callersFolders returns the folders of the callers of changed functions, since a private function usually has no folder of
// its own. The changed functions take turns.
func callersFolders(root string, changed []string) (folders []string) {
	tree, err := readFunctions(root)
	if err != nil {
		return nil // There is no such schema.
	}
	var reaches [][]string
	for _, name := range changed {
		function := strings.TrimSuffix(path.Base(name), ".sql")
		if _, known := tree[function]; known && strings.HasPrefix(name, "db/schema/functions/") {
			reaches = append(reaches, tree.reach(function))
		}
	}
	for turn, more := 0, true; more; turn++ {
		more = false
		for _, reach := range reaches {
			if turn >= len(reach) {
				continue
			}
			more = true
			if path.Base(reach[turn]) != "*" {
				folders = append(folders, path.Join("pgtap", reach[turn]))
			}
		}
	}
	return folders
}

// pgtapFolder returns the folder of the tests of a function's file, or the folder of a test.
func pgtapFolder(name string) string {
	if rest, ok := strings.CutPrefix(name, "db/schema/functions/"); ok && path.Ext(name) == ".sql" {
		return path.Join("pgtap", strings.TrimSuffix(strings.Replace(rest, "/private/", "/", 1), ".sql"))
	}
	if strings.HasPrefix(name, "pgtap/") && !strings.HasPrefix(name, "pgtap/fixtures/") && path.Ext(name) == ".sql" {
		return path.Dir(name)
	}
	return ""
}

// packageOf returns the module of a Go file, and the file's package as a path in the module. `ok` is false if the package no
// longer exists, or if the file belongs to none of these modules.
func packageOf(root, name string, modules []string) (module, pkg string, ok bool) {
	if _, err := os.Stat(filepath.Join(root, path.Dir(name))); err != nil {
		return "", "", false
	}
	module = path.Dir(name)
	for module != "." {
		if _, err := os.Stat(filepath.Join(root, module, "go.mod")); err == nil {
			break
		}
		module = path.Dir(module)
	}
	pkg = path.Dir(name)
	if module != "." {
		pkg = path.Join(".", strings.TrimPrefix(strings.TrimPrefix(pkg, module), "/"))
	}
	if pkg != "." {
		pkg = "./" + pkg
	}
	return module, pkg, slices.Contains(modules, module)
}
