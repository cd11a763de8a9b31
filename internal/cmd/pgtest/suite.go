package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/pgtasker/pgtasker/internal/gotest"
	"github.com/pgtasker/pgtasker/internal/pgtest/checkout"
	"github.com/pgtasker/pgtasker/internal/pgtest/pgdatabase"
	"github.com/pgtasker/pgtasker/internal/pgtest/pgserver"
)

// goTimeout is how long the tests of one package may take: far more than they need, on a busy machine too.
const goTimeout = 20 * time.Minute

// part is one line of the summary.
type part struct {
	name, counts string
	took         time.Duration
	slowest      []string
	failures     []gotest.Failure
	err          error
}

func (p part) failed() bool { return p.err != nil || len(p.failures) > 0 }

// suite runs pgTAP and the Go tests of this module and of others. All of it runs, whatever fails, and what failed
// stands at the end.
func suite(ctx context.Context, session *pgdatabase.Session, args []string) (int, error) {
	flags := flag.NewFlagSet("suite", flag.ContinueOnError)
	quick := flags.Bool("quick", false, "only what has changed since main, and the conventions, without the race detector")
	noPgtap := flags.Bool("go", false, "only the Go tests")
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
		if !*noPgtap {
			s.pgtap(ctx, nil)
		}
		race := s.race(ctx)
		for _, module := range modules {
			s.goTests(ctx, module, nil, goTimeout, race...)
		}
	}
	return s.sumUp(), context.Cause(ctx)
}

type suiteRun struct {
	session *pgdatabase.Session
	root    string
	out     io.Writer
	parts   []part
}

func (s *suiteRun) say(format string, args ...any) { _, _ = fmt.Fprintf(s.out, format+"\n", args...) }

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
	s.say("pgTAP: %s", strings.Join(append([]string{}, orAll(paths, "all tests")...), " "))
	p, began := part{name: "pgTAP"}, time.Now()
	code, err := pgtap(ctx, s.session, paths)
	if err == nil && code != 0 {
		err = errors.New("tests fail: they are shown above; make test-pgtap T=FILE runs one")
	}
	p.err, p.took = err, time.Since(began)
	s.parts = append(s.parts, p)
}

func (s *suiteRun) goTests(ctx context.Context, module string, packages []string, timeout time.Duration, more ...string) {
	if ctx.Err() != nil {
		return
	}
	name := "go test " + module
	s.say("%s: %s", name, strings.Join(orAll(packages, "all packages"), " "))
	result, err := gotest.Run{
		Dir: filepath.Join(s.root, module), Packages: packages, Out: s.out, Every: every,
		Flags: append([]string{"-timeout", timeout.String()}, more...),
		Env:   append(os.Environ(), pgserver.EnvDatabaseURL+"="+s.session.Server.URL),
	}.Do(ctx)
	s.parts = append(s.parts, part{
		name: name, counts: fmt.Sprintf("%d packages, %d tests", result.Packages, result.Tests),
		took: result.Took, slowest: result.Slowest, failures: result.Failed, err: err,
	})
}

func orAll(names []string, all string) []string {
	if len(names) == 0 {
		return []string{all}
	}
	return names
}

// sumUp prints what failed, then a line for each part, and returns the exit code.
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
		if p.err != nil {
			s.say("        %s", strings.ReplaceAll(strings.TrimSpace(p.err.Error()), "\n", "\n        "))
		}
		for _, f := range p.failures {
			s.say("        %s: %s", f.Package, f.Why)
		}
	}
	return code
}
