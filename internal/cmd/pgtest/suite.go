package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/pgtasker/pgtasker/internal/gotest"
	"github.com/pgtasker/pgtasker/internal/pgtest/checkout"
	"github.com/pgtasker/pgtasker/internal/pgtest/pgdatabase"
	"github.com/pgtasker/pgtasker/internal/pgtest/pgserver"
)

// goTimeout is the longest time for the tests of one package. They need far less time, even on a busy machine.
const goTimeout = 45 * time.Minute

// part is one line of the summary.
type part struct {
	name, counts string
	took         time.Duration
	slowest      []string
	skipped      []gotest.Skip
	failures     []gotest.Failure
	err          error
}

func (p part) failed() bool { return p.err != nil || len(p.failures) > 0 }

// suite runs pgTAP and the Go tests of this module and of other modules. After a failure the other tests still run. The end of
// the output lists the failures.
func suite(ctx context.Context, session *pgdatabase.Session, args []string) (code int, err error) {
	flags := flag.NewFlagSet("suite", flag.ContinueOnError)
	quick := flags.Bool("quick", false, "only what has changed since main, and the conventions, without the race detector")
	noPgtap := flags.Bool("go", false, "only the Go tests")
	raceAll := flags.Bool("race", false, "all packages with the race detector, not only those that start goroutines")
	base := flags.String("base", "main", "the `COMMIT` from which -quick counts changes")
	if err := flags.Parse(args); err != nil {
		return 0, errUsage
	}
	root, err := checkout.Root()
	if err != nil {
		return 0, err
	}
	s := &suiteRun{session: session, root: root, out: os.Stdout}
	modules := append([]string{"."}, flags.Args()...)
	if *quick {
		changed, err := changes(ctx, root, *base)
		if err != nil {
			return 0, err
		}
		s.quick(ctx, choose(root, changed, modules))
	} else {
		original, failed := pgdatabase.StartOriginal(ctx)
		switch {
		case failed == nil:
			defer func() { err = errors.Join(err, original.Stop()) }()
			s.original = original.Original()
		case !errors.Is(failed, pgserver.ErrNoPrograms):
			return 0, failed
		}
		// The tests that fail most often run first.
		race := s.race(ctx)
		list, err := s.packages(ctx, modules, *raceAll || len(race) == 0)
		if err != nil {
			return 0, err
		}
		s.goTests(ctx, ".", list.apart, goTimeout)
		if !*noPgtap {
			s.pgtap(ctx, nil)
		}
		if *raceAll || len(race) == 0 {
			s.goTests(ctx, ".", list.with, goTimeout, race...)
		} else {
			s.goTests(ctx, ".", list.both, goTimeout, "-run", sequential)
			s.goTests(ctx, ".", list.with, goTimeout, append(race, "-skip", sequential)...)
			if slices.Contains(list.apart, cliPackage) {
				s.goTests(ctx, ".", []string{cliPackage}, goTimeout, append(race, "-run", cliRaces)...)
			}
		}
	}
	return s.sumUp(), context.Cause(ctx)
}

type suiteRun struct {
	session *pgdatabase.Session
	root    string
	out     io.Writer
	parts   []part

	original string // for pgserver.EnvOriginal
}

func (s *suiteRun) say(format string, args ...any) { _, _ = fmt.Fprintf(s.out, format+"\n", args...) }

// The commands of the program have hundreds of tests, of which a dozen reach a go statement. Only these run with the race
// detector, beside the whole package without it.
const (
	cliPackage = "github.com/pgtasker/pgtasker/cmd/tasker/internal/cli"
	cliRaces   = "^Test(Demo|Serve|Orchestrate|Relay|WorkerDemo)_"
)

// sequential matches the tests that run without the race detector although their packages start goroutines. These tests ask for one
// screen of the operators' page after another, or make one bad or foreign REST request after another, and such a request has its
// own data. TestServe_ScreensAreAskedForAtOnce and TestStorm_LeavesNoRoleBehind, which run with the race detector, send such
// requests at once, and TestContract_EveryOperationAnswersAsDocumented calls each operation.
const sequential = "^TestUI_|^TestContract_(EveryRole|BadInput)"

// stages are lists of packages.
type stages struct {
	with  []string // packages with the race detector, except their sequential tests
	both  []string // packages of `with` that have sequential tests
	apart []string // packages without the race detector
}

// packages returns the packages of modules. The list apart has the packages that run without the race detector, because the detector makes
// a package much slower to build and to run: programs and their commands, packages of tests, and packages whose own code starts no
// goroutines. Code that they share with concurrent packages is tested through the concurrent packages. If all packages are to run together,
// the list apart is empty. Packages with the most tests come first, so that no large package runs alone at the end.
func (s *suiteRun) packages(ctx context.Context, modules []string, together bool) (of stages, err error) {
	args := []string{"list", "-json=ImportPath,Dir,Name,GoFiles,TestGoFiles,XTestGoFiles"}
	for _, module := range modules {
		args = append(args, "./"+filepath.ToSlash(filepath.Join(module, "...")))
	}
	list := exec.CommandContext(ctx, "go", args...)
	list.Dir = s.root
	var stderr bytes.Buffer
	list.Stderr = &stderr
	out, err := list.Output()
	if err != nil {
		return stages{}, fmt.Errorf("go list in %s: %w\n%s", strings.Join(modules, ", "), err, stderr.String())
	}
	var all []goPackage
	for in := json.NewDecoder(bytes.NewReader(out)); in.More(); {
		var p goPackage
		if err := in.Decode(&p); err != nil {
			return stages{}, err
		}
		if p.tests, err = size(p.Dir, slices.Concat(p.TestGoFiles, p.XTestGoFiles)); err != nil {
			return stages{}, err
		}
		all = append(all, p)
	}
	slices.SortStableFunc(all, func(one, other goPackage) int { return cmp.Compare(other.tests, one.tests) })
	for _, p := range all {
		concurrent, err := anyMatches(p.Dir, p.GoFiles, goStatement)
		if err != nil {
			return stages{}, err
		}
		if together || concurrent && p.Name != "main" && p.ImportPath != cliPackage && !strings.Contains(p.ImportPath, "/internal/tests/") {
			of.with = append(of.with, p.ImportPath)
			found, err := anyMatches(p.Dir, slices.Concat(p.TestGoFiles, p.XTestGoFiles), sequentialTest)
			if err != nil {
				return stages{}, err
			}
			if found {
				of.both = append(of.both, p.ImportPath)
			}
		} else {
			of.apart = append(of.apart, p.ImportPath)
		}
	}
	return of, nil
}

// goPackage is a package in the output of go list.
type goPackage struct {
	ImportPath, Dir, Name              string
	GoFiles, TestGoFiles, XTestGoFiles []string

	tests int64 // the size of the test files
}

func size(dir string, files []string) (sum int64, err error) {
	for _, name := range files {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			return 0, err
		}
		sum += info.Size()
	}
	return sum, nil
}

// goStatement is a go statement, or the call of a group that starts a goroutine.
var goStatement = regexp.MustCompile(`(?m)^\s*(go \w|\w+(\.\w+)*\.Go\()`)

// sequentialTest matches the line on which a sequential test begins.
var sequentialTest = regexp.MustCompile(`(?m)^func (` + strings.ReplaceAll(sequential, "^", "") + `)`)

func anyMatches(dir string, files []string, what *regexp.Regexp) (bool, error) {
	for _, name := range files {
		code, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return false, err
		}
		if what.Match(code) {
			return true, nil
		}
	}
	return false, nil
}

// race returns the flag of the race detector, which needs a C compiler.
func (s *suiteRun) race(ctx context.Context) []string {
	out, err := exec.CommandContext(ctx, "go", "env", "CC").Output()
	compiler := strings.Fields(string(out))
	if err == nil && len(compiler) > 0 {
		if _, err := exec.LookPath(compiler[0]); err == nil {
			return []string{"-race"}
		}
	}
	s.say("no C compiler: the Go tests run without the race detector")
	return nil
}

func (s *suiteRun) pgtap(ctx context.Context, paths []string) {
	if ctx.Err() != nil {
		return
	}
	s.say("pgTAP: %s", cmp.Or(strings.Join(paths, " "), "all tests"))
	p, began := part{name: "pgTAP"}, time.Now()
	code, err := pgtap(ctx, s.session, paths)
	if err == nil && code != 0 {
		err = errors.New("tests fail: they are shown above; make test-pgtap T=FILE runs one")
	}
	p.err, p.took = err, time.Since(began)
	s.parts = append(s.parts, p)
}

func (s *suiteRun) goTests(ctx context.Context, module string, packages []string, timeout time.Duration, more ...string) {
	if ctx.Err() != nil || len(packages) == 0 {
		return
	}
	name, env := "go test "+module, os.Environ()
	what := strings.Join(packages, " ")
	if len(packages) > 10 {
		what = fmt.Sprintf("%d packages", len(packages))
	}
	if slices.Contains(more, "-race") {
		name += " -race"
		env = append(env, "CGO_ENABLED=1") // the race detector needs it
	} else {
		env = append(env, "CGO_ENABLED=0") // as tools/setup.sh compiles, so that one cache serves both
	}
	s.say("%s: %s", name, what)
	result, err := gotest.Run{
		Dir: filepath.Join(s.root, module), Packages: packages, Out: s.out, Every: every, Cut: timeout < goTimeout,
		Flags: append([]string{"-timeout", timeout.String()}, more...),
		Env:   append(env, pgserver.EnvDatabaseURL+"="+s.session.Server.URL, pgserver.EnvOriginal+"="+s.original),
	}.Do(ctx)
	s.parts = append(s.parts, part{
		name: name, counts: fmt.Sprintf("%d packages, %d tests", result.Packages, result.Tests),
		took: result.Took, slowest: result.Slowest, skipped: result.Skipped, failures: result.Failed, err: err,
	})
}

// sumUp prints the failures, then a line for each part, and returns the exit code.
func (s *suiteRun) sumUp() (code int) {
	for _, p := range s.parts {
		for _, f := range p.failures {
			s.say("\n--- %s: %s\n%s", f.Package, f.Why, strings.TrimRight(f.Output, "\n"))
		}
	}
	s.say("")
	for _, p := range s.parts {
		mark := "ok  "
		if p.failed() {
			mark, code = "FAIL", 1
		}
		s.say("%s  %-30s %s", mark, p.name, strings.TrimPrefix(p.counts+", "+p.took.Round(time.Second).String(), ", "))
		if len(p.slowest) > 0 {
			s.say("        slowest: %s", strings.Join(p.slowest, ", "))
		}
		for _, k := range p.skipped {
			s.say("        skipped %d: %s (%s)", k.Tests, k.Why, strings.Join(k.Packages, ", "))
		}
		if p.err != nil {
			s.say("        %s", strings.ReplaceAll(strings.TrimSpace(p.err.Error()), "\n", "\n        "))
		}
		for _, f := range p.failures {
			s.say("        %s: %s", f.Package, f.Why)
		}
	}
	return code
}
