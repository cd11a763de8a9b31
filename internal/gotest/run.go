package gotest

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os/exec"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Run has the tests of one module.
type Run struct {
	Dir      string   // the module's directory
	Packages []string // paths of packages, not patterns
	Flags    []string // more flags for go test
	Env      []string
	Out      io.Writer
	// Every is the time between two lines of progress.
	Every time.Duration
	// Cut says that the time-out is the time left to a quick run. A package that the time-out ends then counts as failed only
	// if one of its tests has failed.
	Cut bool
}

// Result is the outcome of a run.
type Result struct {
	Packages int // packages that were tested, or have no tests
	Tests    int // tests that passed
	Skipped  []Skip
	Failed   []Failure
	Took     time.Duration
	Slowest  []string // up to five packages that took more than five seconds, with their times, the slowest first
}

// Skip is a reason for which tests skipped themselves.
type Skip struct {
	Why      string
	Tests    int
	Packages []string // the last elements of their paths
}

// Failure is a package that failed.
type Failure struct {
	Package string
	Tests   []string // the failed tests; none if the package failed before its tests
	Why     string   // in a few words: failed tests, timed out, did not compile
	Output  string   // the output of the failed tests, or of the package
	// TimedOut says whether the time-out ended the tests.
	TimedOut bool
}

// Unfinished says whether the time-out ended the package before one of its tests failed.
func (f Failure) Unfinished() bool { return f.TimedOut && len(f.Tests) == 0 }

// Do runs the tests. Failed tests stand in the result, and are no error.
func (r Run) Do(ctx context.Context) (Result, error) {
	if len(r.Packages) == 0 {
		return Result{}, errors.New("no package to test")
	}
	began := time.Now()
	cmd := exec.CommandContext(ctx, "go", append(append([]string{"test", "-json"}, r.Flags...), r.Packages...)...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = r.Dir, r.Env, 10*time.Second
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return Result{}, err
	}
	if err := cmd.Start(); err != nil {
		return Result{}, err
	}
	book := newBook(len(r.Packages))
	lines := make(chan []byte)
	go func() {
		defer close(lines)
		scanner := bufio.NewScanner(stdout)
		scanner.Buffer(nil, 64<<20)
		for scanner.Scan() {
			lines <- bytes.Clone(scanner.Bytes())
		}
		_, _ = io.Copy(io.Discard, stdout) // a line that is too long must not block the tests
	}()
	r.watch(book, lines, began)
	err = cmd.Wait()
	if ctx.Err() != nil {
		return Result{}, context.Cause(ctx)
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return Result{}, err
	}
	result := book.result()
	result.Took = time.Since(began)
	if err != nil && len(result.Failed) == 0 {
		return result, fmt.Errorf("go test: %w\n%s", err, stderr.String())
	}
	return result, nil
}

// watch reads the events to their end, and prints the progress.
func (r Run) watch(book *book, lines <-chan []byte, began time.Time) {
	tick := time.NewTicker(r.Every)
	defer tick.Stop()
	for {
		select {
		case line, more := <-lines:
			if !more {
				return
			}
			var e event
			if json.Unmarshal(line, &e) != nil {
				continue // no event, but a tool's output in the stream
			}
			switch failed := book.add(e); {
			case failed == nil:
			case r.Cut && failed.Unfinished():
				_, _ = fmt.Fprintf(r.Out, "  no time for %s\n", failed.Package)
			default:
				_, _ = fmt.Fprintf(r.Out, "  FAIL %s: %s\n", failed.Package, failed.Why)
			}
		case <-tick.C:
			_, _ = fmt.Fprintf(r.Out, "  %s\n", book.progress(time.Since(began)))
		}
	}
}

// event is a line of go test -json.
type event struct {
	Time       time.Time
	Action     string
	Package    string
	ImportPath string // the package, in an event of a build
	Test       string
	Output     string
	Elapsed    float64
}

// book keeps the outcome of the events so far.
type book struct {
	total    int
	done     int
	passed   int
	running  []string // packages
	output   map[string]*strings.Builder
	broken   map[string][]string // package → failed tests
	failures []Failure
	open     map[string][]string // package → tests that have begun and not ended
	took     map[string]time.Duration
	skipped  map[string]*Skip // by reason
}

func newBook(total int) *book {
	return &book{total: total, output: map[string]*strings.Builder{}, broken: map[string][]string{}, open: map[string][]string{}, took: map[string]time.Duration{}, skipped: map[string]*Skip{}}
}

// add records an event, and returns the package that fails by the event, if there is one.
func (b *book) add(e event) *Failure {
	if e.Package == "" {
		e.Package, _, _ = strings.Cut(e.ImportPath, " ")
	}
	switch e.Action {
	case "start":
		b.running = append(b.running, e.Package)
	case "run":
		b.open[e.Package] = append(b.open[e.Package], e.Test)
	case "output", "build-output":
		b.say(e.Package, e.Test, e.Output)
	case "pass", "skip", "fail":
		if e.Test == "" {
			return b.end(e)
		}
		b.open[e.Package] = slices.DeleteFunc(b.open[e.Package], func(test string) bool { return test == e.Test })
		switch e.Action {
		case "pass":
			b.passed++
			delete(b.output, key(e.Package, e.Test))
		case "skip":
			b.skip(e.Package, b.text(e.Package, e.Test))
		case "fail":
			b.broken[e.Package] = append(b.broken[e.Package], e.Test)
		}
	}
	return nil
}

// reason finds the text of a test that skipped itself: "    file_test.go:12: why".
var reason = regexp.MustCompile(`(?m)^ *\w+\.go:\d+: (.*)$`)

func (b *book) skip(pkg, output string) {
	why := "without a reason"
	if said := reason.FindAllStringSubmatch(output, -1); len(said) > 0 {
		why = said[len(said)-1][1]
	}
	if b.skipped[why] == nil {
		b.skipped[why] = &Skip{Why: why}
	}
	s := b.skipped[why]
	s.Tests++
	if name := path.Base(pkg); !slices.Contains(s.Packages, name) {
		s.Packages = append(s.Packages, name)
	}
}

func key(pkg, test string) string { return pkg + "\x00" + test }

func (b *book) say(pkg, test, text string) {
	text, noise := trimmed(text)
	if noise {
		return
	}
	if b.output[key(pkg, test)] == nil {
		b.output[key(pkg, test)] = &strings.Builder{}
	}
	b.output[key(pkg, test)].WriteString(text)
}

// trimmed leaves out the lines that say only that a test begins or waits.
func trimmed(text string) (string, bool) {
	for _, mark := range []string{"=== RUN", "=== PAUSE", "=== CONT", "=== NAME"} {
		if strings.HasPrefix(text, mark) {
			return "", true
		}
	}
	return text, false
}

func (b *book) end(e event) *Failure {
	b.running = slices.DeleteFunc(b.running, func(name string) bool { return name == e.Package })
	b.done++
	b.took[e.Package] = time.Duration(e.Elapsed * float64(time.Second))
	if e.Action != "fail" {
		return nil
	}
	f := Failure{Package: e.Package, Tests: leaves(b.broken[e.Package])}
	own := b.text(e.Package, "")
	open := leaves(b.open[e.Package])
	var out strings.Builder
	for _, test := range append(slices.Clone(f.Tests), open...) {
		out.WriteString(b.text(e.Package, test))
	}
	switch {
	case strings.Contains(own+out.String(), "panic: test timed out"):
		own, open = stacksCut(own+out.String(), open)
		out.Reset()
		out.WriteString(own)
		f.TimedOut, f.Why = true, "timed out in "+list(open)
	case len(open) > 0:
		f.Why = "ended in " + list(open)
	case len(f.Tests) > 0:
		f.Why = list(f.Tests)
	case strings.Contains(own, "[build failed]"), strings.Contains(own, "[setup failed]"):
		f.Why = "does not compile"
	default:
		f.Why = "ended before its tests did"
	}
	if out.Len() == 0 {
		out.WriteString(own)
	}
	f.Output = out.String()
	b.failures = append(b.failures, f)
	return &b.failures[len(b.failures)-1]
}

// stacksCut returns the output of go test about timed-out tests, without the stacks of all goroutines. It also returns the
// tests that were running at the time-out, which are some of the tests that had begun.
func stacksCut(text string, begun []string) (string, []string) {
	at := strings.Index(text, "panic: test timed out")
	text, _, _ = strings.Cut(text[at:], "\n\ngoroutine ")
	var running []string
	for line := range strings.Lines(text) {
		if name, found := strings.CutPrefix(line, "\t\t"); found {
			name, _, _ = strings.Cut(name, " (")
			running = append(running, name)
		}
	}
	if len(running) == 0 {
		running = begun
	}
	return text + "\n", leaves(running)
}

// leaves returns the tests that have no subtest in the list.
func leaves(tests []string) []string {
	var all []string
	for _, test := range tests {
		inner := false
		for _, other := range tests {
			inner = inner || strings.HasPrefix(other, test+"/")
		}
		if !inner {
			all = append(all, test)
		}
	}
	return all
}

func list(tests []string) string {
	if len(tests) > 3 {
		return fmt.Sprintf("%s and %d more", strings.Join(tests[:3], ", "), len(tests)-3)
	}
	return strings.Join(tests, ", ")
}

func (b *book) text(pkg, test string) string {
	if b.output[key(pkg, test)] == nil {
		return ""
	}
	return b.output[key(pkg, test)].String()
}

func (b *book) progress(took time.Duration) string {
	line := fmt.Sprintf("%d of %d packages, %d tests passed, %s", b.done, b.total, b.passed, took.Round(time.Second))
	if len(b.running) == 0 {
		return line + "; compiling (minutes, the first time)"
	}
	var names []string
	for _, name := range b.running {
		names = append(names, path.Base(name))
	}
	return line + "; running " + list(names)
}

func (b *book) result() Result {
	r := Result{Packages: b.done, Tests: b.passed, Failed: b.failures, Slowest: b.slowest()}
	for _, why := range slices.Sorted(maps.Keys(b.skipped)) {
		slices.Sort(b.skipped[why].Packages)
		r.Skipped = append(r.Skipped, *b.skipped[why])
	}
	return r
}

func (b *book) slowest() (lines []string) {
	names := slices.SortedFunc(maps.Keys(b.took), func(one, other string) int {
		return cmp.Or(cmp.Compare(b.took[other], b.took[one]), cmp.Compare(one, other))
	})
	for _, name := range names[:min(5, len(names))] {
		if b.took[name] > 5*time.Second {
			lines = append(lines, fmt.Sprintf("%s %s", path.Base(name), b.took[name].Round(time.Second)))
		}
	}
	return lines
}
