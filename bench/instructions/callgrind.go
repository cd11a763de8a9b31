package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// cost is callgrind's count between the markers.
type cost struct {
	instructions, units float64
	inclusive           map[string]float64 // by C function, if -functions asks for it
}

func (c cost) unit() float64 { return c.instructions / c.units }

var (
	unitsLine  = regexp.MustCompile(`units: (\d+)`)
	totalsLine = regexp.MustCompile(`(?m)^(?:totals|summary): (\d+)`)
)

// measure runs the calls of a row in a single-user backend on a copy of the files.
func (a *arm) measure(ctx context.Context, r row) (c cost, err error) {
	dir, err := os.MkdirTemp(a.work, "row.")
	if err != nil {
		return c, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if a.owner != nil {
		if err := os.Chown(dir, int(a.owner.Uid), int(a.owner.Gid)); err != nil {
			return c, err
		}
	}
	data := filepath.Join(dir, "data")
	if err := a.copyFiles(ctx, a.data, data); err != nil {
		return c, err
	}
	database := "few"
	if r.partitions {
		database = "many"
	}
	// Filling the database is not counted, and needs no valgrind.
	if r.fill != "" {
		if _, err := a.singleUser(ctx, dir, nil, data, database, r.fill); err != nil {
			return c, fmt.Errorf("fill: %w", err)
		}
	}
	out := filepath.Join(dir, "out")
	callgrind := []string{"valgrind", "--tool=callgrind", "--callgrind-out-file=" + out, "--dump-before=pg_sleep"}
	output, err := a.singleUser(ctx, dir, callgrind, data, database, r.call)
	if err != nil {
		return c, err
	}
	found := unitsLine.FindSubmatch(output)
	if found == nil {
		return c, fmt.Errorf("the backend did not say how much it did:\n%s", output)
	}
	if c.units, err = strconv.ParseFloat(string(found[1]), 64); err != nil {
		return c, err
	}
	// The first dump ends at the first marker, and the second dump at the second marker.
	dump, err := os.ReadFile(out + ".2")
	if err != nil {
		return c, err
	}
	found = totalsLine.FindSubmatch(dump)
	if found == nil {
		return c, errors.New("callgrind's dump has no sum")
	}
	if c.instructions, err = strconv.ParseFloat(string(found[1]), 64); err != nil {
		return c, err
	}
	if *functions > 0 {
		c.inclusive, err = inclusive(ctx, out+".2", c.units)
	}
	return c, err
}

// singleUser calls a procedure of the drivers in a single-user backend. If `under` is not empty, this command runs the backend.
func (a *arm) singleUser(ctx context.Context, dir string, under []string, data, database, call string) (output []byte, err error) {
	args := append(under[:len(under):len(under)], filepath.Join(a.bin, "postgres"), "--single", "-j", "-D", data,
		"-c", "fsync=off", "-c", "jit=off", "-c", "timezone=UTC", "-c", "max_locks_per_transaction=256", "-c", "max_connections=200",
		"-c", "log_checkpoints=off", database)
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Dir = dir
	cmd.Env = []string{"PATH=" + a.bin + ":/usr/bin:/bin", "HOME=" + dir, "LC_ALL=C", "TZ=UTC"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: a.owner}
	cmd.Stdin = strings.NewReader("call driver." + call + ";\n\n")
	output, err = cmd.CombinedOutput()
	if err == nil && bytes.Contains(output, []byte("ERROR:")) {
		err = errors.New("the backend reports an error")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", args[0], err, output)
	}
	return output, nil
}

var functionLine = regexp.MustCompile(`(?m)^\s*([\d,]+) \([^)]*\)\s+\S+?:(\S+)`)

// inclusive returns the cost per unit of each C function, including the functions that it calls.
func inclusive(ctx context.Context, dump string, units float64) (map[string]float64, error) {
	text, err := exec.CommandContext(ctx, "callgrind_annotate", "--inclusive=yes", "--threshold=100", dump).Output()
	if err != nil {
		return nil, fmt.Errorf("callgrind_annotate: %w", err)
	}
	by := map[string]float64{}
	for _, found := range functionLine.FindAllSubmatch(text, -1) {
		n, err := strconv.ParseFloat(strings.ReplaceAll(string(found[1]), ",", ""), 64)
		if err != nil {
			return nil, err
		}
		by[strings.TrimSuffix(string(found[2]), "'2")] += n / units
	}
	return by, nil
}

// differences returns the n functions whose costs differ most, as a table.
func (c cost) differences(before cost, n int) [][]string {
	names := make([]string, 0, len(c.inclusive))
	for name := range c.inclusive {
		names = append(names, name)
	}
	for name := range before.inclusive {
		if _, there := c.inclusive[name]; !there {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(abs(c.inclusive[b]-before.inclusive[b]), abs(c.inclusive[a]-before.inclusive[a])), cmp.Compare(a, b))
	})
	table := [][]string{{"function", "before", "this tree", "difference"}}
	for _, name := range names[:min(n, len(names))] {
		was, is := before.inclusive[name]/1000, c.inclusive[name]/1000
		table = append(table, []string{name, fmt.Sprintf("%.1f", was), fmt.Sprintf("%.1f", is), fmt.Sprintf("%+.1f", is-was)})
	}
	return table
}

func abs(f float64) float64 { return max(f, -f) }
