package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// firstRed runs the pgTAP files that reach the mutation, and returns the first that is red with it and green without.
func (l *laboratory) firstRed(ctx context.Context, c candidate) (string, error) {
	files, err := l.files(c)
	if err != nil {
		return "", err
	}
	work := make(chan string)
	stopped, stop := context.WithCancel(ctx)
	defer stop()
	var mu sync.Mutex
	var red string
	var wait sync.WaitGroup
	for _, name := range l.changed {
		wait.Go(func() {
			for file := range work {
				if l.passes(stopped, name, file, c.Text) || stopped.Err() != nil {
					continue
				}
				mu.Lock()
				if red == "" && l.passesUnchanged(stopped, file) {
					red = file
					stop()
				}
				mu.Unlock()
			}
		})
	}
	for _, file := range files {
		select {
		case work <- file:
			continue
		case <-stopped.Done():
		}
		break
	}
	close(work)
	wait.Wait()
	return red, ctx.Err()
}

// files returns the files of the folders that may notice the mutation, the nearest first.
func (l *laboratory) files(c candidate) (files []string, err error) {
	reached := l.tree.Reach(c.function)
	if *folders != "" {
		reached = strings.Split(*folders, ",")
	}
	for _, folder := range reached {
		found, globErr := filepath.Glob(filepath.Join(l.root, "pgtap", folder, "*.sql"))
		err = errors.Join(err, globErr)
		for _, path := range found {
			name, relErr := filepath.Rel(l.root, path)
			err = errors.Join(err, relErr)
			_, ofFunction := l.tree[filepath.Base(filepath.Dir(path))]
			if !slices.Contains(files, name) && (!ofFunction || *folders != "" || !strings.HasSuffix(folder, "*")) {
				files = append(files, name)
			}
		}
	}
	if *reach > 0 && len(files) > *reach {
		files = files[:*reach]
	}
	return files, err
}

// passesUnchanged tells whether a file is green without a mutation.
func (l *laboratory) passesUnchanged(ctx context.Context, file string) bool {
	green, known := l.sound[file]
	if !known {
		green = l.passes(ctx, l.control, file, "")
		l.sound[file] = green
	}
	return green
}

// Files that count buffers want a database that no other file has used.
var counting = regexp.MustCompile(`\bbuffers\b`)

// passes runs a file in a database. The mutation is for a copy, if the file needs one.
func (l *laboratory) passes(ctx context.Context, name, file, mutation string) bool {
	text, err := os.ReadFile(filepath.Join(l.root, file)) //nolint:gosec // found by files
	if err != nil {
		return false
	}
	if counting.Match(text) {
		if name, err = l.session.Copy(ctx, l.sealed); err != nil {
			return false
		}
		defer func() { _ = l.session.Drop(context.WithoutCancel(ctx), name) }()
		if mutation != "" {
			if err := l.load(ctx, name, asOwner(mutation)); err != nil {
				return false
			}
		}
	}
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "psql", "--no-psqlrc", "--no-align", "--quiet", "--pset", "pager=off",
		"--pset", "tuples_only=true", "--set", "ON_ERROR_STOP=1", "--file", file, "--dbname", l.session.URL(name)) //nolint:gosec // found by files
	cmd.Dir = l.root
	cmd.Env = append(os.Environ(), "PGOPTIONS=-c statement_timeout=30s -c client_connection_check_interval=1s")
	out, err := cmd.Output()
	return err == nil && green(out)
}

var (
	planned = regexp.MustCompile(`(?m)^1\.\.(\d+)$`)
	outcome = regexp.MustCompile(`(?m)^(not )?ok \d+.*$`)
)

// green tells whether a file's output is that of tests which all passed, as many as were planned.
func green(out []byte) bool {
	plan := planned.FindSubmatch(out)
	outcomes := outcome.FindAll(out, -1)
	return plan != nil && string(plan[1]) == strconv.Itoa(len(outcomes)) &&
		!slices.ContainsFunc(outcomes, func(line []byte) bool {
			return bytes.HasPrefix(line, []byte("not ")) && !strings.Contains(string(line), "# TODO")
		})
}
