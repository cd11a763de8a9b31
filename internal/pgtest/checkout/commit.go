package checkout

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
)

// Migration is a migration's file.
type Migration struct {
	Name string
	// Up is the part that is applied.
	Up string
}

// Migrations returns the migrations of a commit in their order, read from git. If commit is empty, it returns the migrations
// of the work tree.
func Migrations(ctx context.Context, commit string) (all []Migration, err error) {
	const dir = "db/migrations"
	names, err := list(ctx, commit, dir)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		text, err := Read(ctx, commit, path.Join(dir, name))
		if err != nil {
			return nil, err
		}
		up, _, _ := strings.Cut(text, "-- migrate:down")
		all = append(all, Migration{Name: name, Up: up})
	}
	return all, nil
}

// Read returns a file of a commit, read from git, or of the work tree if commit is empty. name is relative to the root.
func Read(ctx context.Context, commit, name string) (string, error) {
	if commit != "" {
		return git(ctx, "show", commit+":"+name)
	}
	root, err := Root()
	if err != nil {
		return "", err
	}
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
	return string(text), err
}

// list returns the names of the SQL files in a directory.
func list(ctx context.Context, commit, dir string) (names []string, err error) {
	if commit != "" {
		output, err := git(ctx, "ls-tree", "--full-tree", "--name-only", commit, dir+"/")
		if err != nil {
			return nil, err
		}
		for name := range strings.FieldsSeq(output) {
			names = append(names, path.Base(name))
		}
	} else {
		root, err := Root()
		if err != nil {
			return nil, err
		}
		files, err := os.ReadDir(filepath.Join(root, filepath.FromSlash(dir)))
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			names = append(names, file.Name())
		}
	}
	names = slices.DeleteFunc(names, func(name string) bool { return path.Ext(name) != ".sql" })
	slices.Sort(names)
	return names, nil
}

func git(ctx context.Context, args ...string) (string, error) {
	out, err := exec.CommandContext(ctx, "git", args...).Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return "", fmt.Errorf("git %s: %w: %s", strings.Join(args, " "), err, strings.TrimSpace(string(exit.Stderr)))
	}
	return string(out), err
}
