// Command lint checks Go code with the linters of this repository, for make lint. The go command runs it for each package (go
// vet -vettool), and does not run it again for a package that has not changed.
//
// Lint ignores generated files. To silence a wrong finding, write a comment on its line with the name of the linter and the
// reason:
//
//	defer file.Close() //nolint:errcheck // It was only read.
package main

import (
	"encoding/json"
	"os"
	"strings"

	"codeberg.org/polyfloyd/go-errorlint/errorlint"
	"github.com/golangci/rowserrcheck/passes/rowserr"
	"github.com/gordonklaus/ineffassign/pkg/ineffassign"
	"github.com/karamaru-alpha/copyloopvar"
	"github.com/kisielk/errcheck/errcheck"
	"github.com/ryanrolds/sqlclosecheck/pkg/analyzer"
	"github.com/sonatard/noctx"
	"github.com/timakin/bodyclose/passes/bodyclose"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/appends"
	"golang.org/x/tools/go/analysis/passes/asmdecl"
	"golang.org/x/tools/go/analysis/passes/assign"
	"golang.org/x/tools/go/analysis/passes/atomic"
	"golang.org/x/tools/go/analysis/passes/bools"
	"golang.org/x/tools/go/analysis/passes/buildtag"
	"golang.org/x/tools/go/analysis/passes/cgocall"
	"golang.org/x/tools/go/analysis/passes/composite"
	"golang.org/x/tools/go/analysis/passes/copylock"
	"golang.org/x/tools/go/analysis/passes/defers"
	"golang.org/x/tools/go/analysis/passes/directive"
	"golang.org/x/tools/go/analysis/passes/errorsas"
	"golang.org/x/tools/go/analysis/passes/framepointer"
	"golang.org/x/tools/go/analysis/passes/hostport"
	"golang.org/x/tools/go/analysis/passes/httpresponse"
	"golang.org/x/tools/go/analysis/passes/ifaceassert"
	"golang.org/x/tools/go/analysis/passes/inline"
	"golang.org/x/tools/go/analysis/passes/lostcancel"
	"golang.org/x/tools/go/analysis/passes/nilfunc"
	"golang.org/x/tools/go/analysis/passes/printf"
	"golang.org/x/tools/go/analysis/passes/shift"
	"golang.org/x/tools/go/analysis/passes/sigchanyzer"
	"golang.org/x/tools/go/analysis/passes/slog"
	"golang.org/x/tools/go/analysis/passes/stdmethods"
	"golang.org/x/tools/go/analysis/passes/stdversion"
	"golang.org/x/tools/go/analysis/passes/stringintconv"
	"golang.org/x/tools/go/analysis/passes/structtag"
	"golang.org/x/tools/go/analysis/passes/testinggoroutine"
	"golang.org/x/tools/go/analysis/passes/tests"
	"golang.org/x/tools/go/analysis/passes/timeformat"
	"golang.org/x/tools/go/analysis/passes/unmarshal"
	"golang.org/x/tools/go/analysis/passes/unreachable"
	"golang.org/x/tools/go/analysis/passes/unsafeptr"
	"golang.org/x/tools/go/analysis/passes/unusedresult"
	"golang.org/x/tools/go/analysis/passes/waitgroup"
	"golang.org/x/tools/go/analysis/unitchecker"
	"honnef.co/go/tools/analysis/lint"
	"honnef.co/go/tools/quickfix"
	"honnef.co/go/tools/simple"
	"honnef.co/go/tools/staticcheck"
	"honnef.co/go/tools/stylecheck"
)

// linter is a linter under the name that //nolint uses.
type linter struct {
	name      string
	analyzers []*analysis.Analyzer
}

// linters returns the linters, each with the faults that it finds.
func linters() []linter {
	return []linter{
		{"govet", vet},                       // mistakes that the compiler lets pass
		{"staticcheck", checks()},            // bugs and dead constructs
		{"errcheck", one(errcheck.Analyzer)}, // errors that are not checked
		{"errorlint", one(with(errorlint.NewAnalyzer(), "errorf", "true"))}, // == and type assertions on errors that may be wrapped
		{"unused", one(unusedCode)},                                         // code without a caller
		{"ineffassign", one(ineffassign.Analyzer)},                          // values that are never read
		{"bodyclose", one(bodyclose.Analyzer)},                              // leaked HTTP bodies in servers and tests
		{"rowserrcheck", one(rowserr.NewAnalyzer())},                        // rows.Err() not called after a loop
		{"sqlclosecheck", one(analyzer.NewDeferOnlyAnalyzer())},             // rows not closed
		{"noctx", one(noctx.Analyzer)},                                      // calls that cannot be cancelled
		{"copyloopvar", one(copyloopvar.NewAnalyzer())},                     // copies of loop variables, which Go 1.22 made needless
		{"revive", one(docComments)},                                        // exported names without a doc comment
		{"format", one(formats)},                                            // code that gofumpt and goimports would write differently
	}
}

// vet has the analyzers of go vet.
var vet = []*analysis.Analyzer{
	appends.Analyzer, asmdecl.Analyzer, assign.Analyzer, atomic.Analyzer, bools.Analyzer, buildtag.Analyzer, cgocall.Analyzer,
	composite.Analyzer, copylock.Analyzer, defers.Analyzer, directive.Analyzer, errorsas.Analyzer, framepointer.Analyzer,
	hostport.Analyzer, httpresponse.Analyzer, ifaceassert.Analyzer, inline.Analyzer, lostcancel.Analyzer, nilfunc.Analyzer,
	printf.Analyzer, shift.Analyzer, sigchanyzer.Analyzer, slog.Analyzer, stdmethods.Analyzer, stdversion.Analyzer,
	stringintconv.Analyzer, structtag.Analyzer, testinggoroutine.Analyzer, tests.Analyzer, timeformat.Analyzer,
	unmarshal.Analyzer, unreachable.Analyzer, unsafeptr.Analyzer, unusedresult.Analyzer, waitgroup.Analyzer,
}

// checks returns all checks of staticcheck except the checks of names and of the form of comments, which revive
// checks.
func checks() (all []*analysis.Analyzer) {
	left := map[string]bool{"ST1000": true, "ST1003": true, "ST1016": true, "ST1020": true, "ST1021": true, "ST1022": true}
	for _, list := range [][]*lint.Analyzer{staticcheck.Analyzers, stylecheck.Analyzers, simple.Analyzers, quickfix.Analyzers} {
		for _, check := range list {
			if !left[check.Analyzer.Name] {
				all = append(all, check.Analyzer)
			}
		}
	}
	return all
}

func one(a *analysis.Analyzer) []*analysis.Analyzer { return []*analysis.Analyzer{a} }

func with(a *analysis.Analyzer, flag, value string) *analysis.Analyzer {
	if err := a.Flags.Set(flag, value); err != nil {
		panic(err)
	}
	return a
}

func main() {
	if len(os.Args) > 1 && forFacts(os.Args[len(os.Args)-1]) {
		unitchecker.Main(factual(linters())...)
	}
	unitchecker.Main(judge(linters()))
}

// forFacts reports whether the go command asks only for facts about a package on which other packages depend. An example of a
// fact is that a function formats as printf does.
func forFacts(file string) bool {
	text, err := os.ReadFile(file)
	var unit struct{ VetxOnly bool }
	return strings.HasSuffix(file, ".cfg") && err == nil && json.Unmarshal(text, &unit) == nil && unit.VetxOnly
}

// factual returns the analyzers that find facts, so that lint need not run all analyzers of the linters for facts. Few
// analyzers find facts.
func factual(all []linter) (found []*analysis.Analyzer) {
	seen := map[*analysis.Analyzer]bool{}
	var visit func([]*analysis.Analyzer)
	visit = func(list []*analysis.Analyzer) {
		for _, a := range list {
			if seen[a] {
				continue
			}
			seen[a] = true
			if len(a.FactTypes) > 0 {
				found = append(found, a)
			}
			visit(a.Requires)
		}
	}
	for _, l := range all {
		visit(l.analyzers)
	}
	return found
}
