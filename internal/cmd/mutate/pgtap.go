package main

import (
	"bytes"
	"cmp"
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

// firstRed runs the pgTAP files that call the mutated function. It returns the first file that is red with the mutation
// and green without, and the number of files that ran.
func (l *laboratory) firstRed(ctx context.Context, c candidate, files []string) (red string, tried int, err error) {
	var mu sync.Mutex
	err = l.each(ctx, files, func(ctx context.Context, database string, batch []string) (stop bool) {
		for len(batch) > 0 && !stop && ctx.Err() == nil {
			runs := l.run(ctx, database, batch, c.sql)
			for i, r := range runs {
				noticed, late := l.judge(ctx, c, database, batch[i], len(batch) > 1, r)
				mu.Lock()
				if tried++; noticed && red == "" {
					red, stop = batch[i], true
					if late {
						red += " (timed out)"
					}
				}
				mu.Unlock()
				if stop {
					break
				}
			}
			batch = batch[max(1, len(runs)):]
		}
		return stop
	})
	return red, tried, err
}

// judge tells whether a file is red with the mutation and green without it. A file that was red after other files
// runs again alone.
func (l *laboratory) judge(ctx context.Context, c candidate, database, file string, among bool, r record) (noticed, late bool) {
	if !r.Green && among {
		r = l.runOne(ctx, database, file, c.sql)
	}
	control := r
	if !r.Green {
		control = l.runOne(ctx, l.control, file, "")
	}
	if ctx.Err() != nil {
		return false, false
	}
	if !l.calls.has(file) {
		l.calls.add(file, control)
	}
	return control.Green && !r.Green, r.late
}

// each calls try for the files in their order, in batches of one, two, four and eight, until one of the calls returns true.
// As many batches run at once as there are databases.
func (l *laboratory) each(ctx context.Context, files []string, try func(ctx context.Context, database string, batch []string) (stop bool)) error {
	work := make(chan []string)
	stopped, stop := context.WithCancel(ctx)
	defer stop()
	var wait sync.WaitGroup
	for _, database := range l.changed {
		wait.Go(func() {
			for batch := range work {
				if stopped.Err() == nil && try(stopped, database, batch) {
					stop()
				}
			}
		})
	}
	for size := 1; len(files) > 0 && stopped.Err() == nil; size = min(2*size, 8) {
		n := min(size, len(files))
		select {
		case work <- files[:n]:
			files = files[n:]
		case <-stopped.Done():
		}
	}
	close(work)
	wait.Wait()
	return ctx.Err()
}

// adjacent is the number of folders reaching a function that come before the rest of the function's room.
const adjacent = 12

// sizes are files that take long because they try many sizes.
var sizes = regexp.MustCompile(`linear|thousand|million|random|large`)

// files returns the files that may notice the mutation. A file may notice it if it is recorded as calling the function. A
// file without a record may notice it if it belongs to the function or to one of its callers. The nearest files come
// first, and of equally near files the fastest.
func (l *laboratory) files(c candidate) (files []string) {
	reached := l.tree.Reach(c.function)
	// First come the folders of the function and of its neighbours, then the recorded files, then the function's room, then other
	// rooms.
	near := func(file string) int {
		folder := strings.TrimPrefix(filepath.Dir(file), "pgtap/")
		room := filepath.Dir(folder) + "/*"
		at := slices.Index(reached, folder)
		_, ofFunction := l.tree[filepath.Base(folder)]
		switch {
		case sizes.MatchString(file):
			return len(reached) + 4
		case at >= 0 && at <= adjacent:
			return at
		case room == reached[1] && !ofFunction:
			return adjacent
		case l.calls.has(file):
			return adjacent + 1
		case room == reached[1]:
			return adjacent + 2
		case at >= 0:
			return at + 2
		case !ofFunction && slices.Contains(reached, room):
			return len(reached) + 2
		default:
			return len(reached) + 3
		}
	}
	// PostgreSQL counts no calls of inlined functions. Only functions in SQL are inlined. For these the files of their
	// callers follow.
	callers := l.tree.Callers()
	functions := []string{c.function}
	for i := 0; i < len(functions); i++ {
		calling := l.calls.of(functions[i])
		files = append(files, calling...)
		if len(calling) > 0 && !l.tree.IsSQL(functions[i]) {
			continue
		}
		for _, caller := range callers[functions[i]] {
			if !slices.Contains(functions, caller) {
				functions = append(functions, caller)
			}
		}
	}
	for file := range l.calls.present {
		if !l.calls.has(file) && near(file) != len(reached)+3 {
			files = append(files, file)
		}
	}
	slices.SortFunc(files, func(a, b string) int {
		return cmp.Or(cmp.Compare(near(a), near(b)), cmp.Compare(l.calls.seconds(a), l.calls.seconds(b)), strings.Compare(a, b))
	})
	files = slices.Compact(files)
	if *folders != "" {
		files = slices.DeleteFunc(files, func(file string) bool {
			return !slices.ContainsFunc(strings.Split(*folders, ","), func(pattern string) bool {
				matches, err := filepath.Match(filepath.Join("pgtap", pattern, "*.sql"), file)
				return err == nil && matches
			})
		})
	}
	if *reach > 0 && len(files) > *reach {
		files = files[:*reach]
	}
	return files
}

// Files that count buffers need a database that no other file has used.
var counting = regexp.MustCompile(`\bbuffers\b`)

// runOne runs a file.
func (l *laboratory) runOne(ctx context.Context, database, file, mutation string) (r record) {
	for _, r = range l.run(ctx, database, []string{file}, mutation) {
	}
	return r
}

// run runs files in a database, one after the other in one session, which saves a third of their time. An error ends the
// run. run returns a record of each file that ran, and at least of the first file. If the first file needs a copy of the
// database, the mutation is loaded into the copy.
func (l *laboratory) run(ctx context.Context, database string, files []string, mutation string) []record {
	if l.counts(files[0]) {
		copied, err := l.session.Copy(ctx, l.sealed)
		if err != nil {
			return make([]record, 1)
		}
		defer func() { _ = l.session.Drop(context.WithoutCancel(ctx), copied) }()
		if mutation != "" {
			if err := l.load(ctx, copied, mutation); err != nil {
				return make([]record, 1)
			}
		}
		database, files = copied, files[:1]
	}
	options := "-c statement_timeout=30s -c client_connection_check_interval=1s"
	args := []string{"--no-psqlrc", "--no-align", "--quiet", "--pset", "pager=off", "--pset", "tuples_only=true", "--set", "ON_ERROR_STOP=1"}
	recorded := slices.ContainsFunc(files, func(file string) bool { return !l.calls.has(file) })
	if recorded {
		options += " -c track_functions=all"
	}
	for i, file := range files {
		if i > 0 && l.counts(file) {
			files = files[:i]
			break
		}
		args = append(args, "--command", `\echo file `+file)
		if recorded {
			args = append(args, "--command", "select pg_stat_reset()")
		}
		args = append(args, "--file", file, "--command", "reset session authorization", "--command", "reset role", "--command", "reset all")
		if recorded {
			args = append(args, "--command", "select pg_stat_force_next_flush()",
				"--command", "select 'calls ' || f.funcname from pg_stat_user_functions as f where f.schemaname = 'tasker' and f.calls > 0")
		}
	}
	within, cancel := context.WithTimeout(ctx, time.Duration(len(files))*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(within, "psql", append(args, "--dbname", l.session.URL(database))...)
	cmd.Dir = l.root
	cmd.Env = append(os.Environ(), "PGOPTIONS="+options)
	start := time.Now()
	out, err := cmd.Output()
	parts := begun.Split(string(out), -1)[1:]
	runs := make([]record, max(1, len(parts)))
	for i, part := range parts {
		last := i == len(parts)-1
		runs[i].Green = green([]byte(part)) && (err == nil || !last)
		runs[i].Seconds = time.Since(start).Seconds() / float64(len(parts))
		runs[i].late = last && errors.Is(within.Err(), context.DeadlineExceeded)
		for _, call := range called.FindAllStringSubmatch(part, -1) {
			runs[i].Calls = append(runs[i].Calls, call[1])
		}
	}
	return runs
}

// counts tells whether a file counts buffers.
func (l *laboratory) counts(file string) bool {
	text, err := os.ReadFile(filepath.Join(l.root, file))
	return err == nil && counting.Match(text)
}

var (
	planned = regexp.MustCompile(`(?m)^1\.\.(\d+)$`)
	outcome = regexp.MustCompile(`(?m)^(not )?ok \d+.*$`)
	begun   = regexp.MustCompile(`(?m)^file .*\n`)
	called  = regexp.MustCompile(`(?m)^calls (\w+)$`)
)

// green tells whether a file's output shows that all planned tests ran and passed.
func green(out []byte) bool {
	plan := planned.FindSubmatch(out)
	outcomes := outcome.FindAll(out, -1)
	return plan != nil && string(plan[1]) == strconv.Itoa(len(outcomes)) &&
		!slices.ContainsFunc(outcomes, func(line []byte) bool {
			return bytes.HasPrefix(line, []byte("not ")) && !strings.Contains(string(line), "# TODO")
		})
}
