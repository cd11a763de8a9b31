package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/gotest"
)

func TestProgress_ShowsOnlyWhatDoesNotPass(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	p := newProgress(&out, 3)
	for _, text := range []string{"pgtap/a.sql ...", ". ok\npgtap/b.sql .... \n", "# Failed test\npgtap/c/x.sql .. ok   \nResult: FAIL"} {
		_, err := p.Write([]byte(text))
		require.NoError(t, err)
	}
	require.NoError(t, p.close())
	require.Equal(t, "pgtap/b.sql .... \n# Failed test\nResult: FAIL", out.String())
	require.Equal(t, 2, p.done)
}

func TestSumUp_EndsWithTheFailures(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	s := suiteRun{out: &out, parts: []part{
		{name: "pgTAP", took: 90 * time.Second},
		{name: "go test .", counts: "2 packages, 5 tests", took: time.Second, slowest: []string{"m 6s"}, skipped: []gotest.Skip{{Why: "no moon", Tests: 2, Packages: []string{"a", "m"}}}, failures: []gotest.Failure{
			{Package: "example.com/m", Why: "TestA", Output: "one is two\n"},
		}},
	}}
	require.Equal(t, 1, s.sumUp())
	require.Equal(t, `
--- example.com/m: TestA
one is two

ok    pgTAP                          1m30s
FAIL  go test .                      2 packages, 5 tests, 1s
        slowest: m 6s
        skipped 2: no moon (a, m)
        example.com/m: TestA
`, out.String())
	s.parts = s.parts[:1]
	require.Zero(t, s.sumUp())
}

func TestPackages_SetApartWhatStartsNoGoroutines(t *testing.T) {
	t.Parallel()
	s := suiteRun{root: filepath.Join("..", "..", "..")}
	list, err := s.packages(t.Context(), []string{"."}, false)
	require.NoError(t, err)
	for _, name := range []string{"worker", "serve", "tasklib", "relay", "executor", "messaging/pgmq", "internal/pgtest/pgserver"} {
		require.Contains(t, list.with, "github.com/pgtasker/pgtasker/"+name)
	}
	for _, name := range []string{"workflow", "internal/docs", "internal/tests/modeltest", "internal/tests/howto/typed", "internal/tests/conformance", "examples/web"} {
		require.Contains(t, list.apart, "github.com/pgtasker/pgtasker/"+name)
	}
	require.Equal(t, []string{"github.com/pgtasker/pgtasker/serve"}, list.both)
	all, err := s.packages(t.Context(), []string{"."}, true)
	require.NoError(t, err)
	require.Empty(t, all.apart)
	require.ElementsMatch(t, append(list.with, list.apart...), all.with)

	// Packages that take long come first, from any module.
	list, err = s.packages(t.Context(), []string{".", "cmd/tasker"}, false)
	require.NoError(t, err)
	require.ElementsMatch(t, []string{"github.com/pgtasker/pgtasker/worker", "github.com/pgtasker/pgtasker/serve"}, list.with[:2])
	require.Contains(t, list.with, "github.com/pgtasker/pgtasker/cmd/tasker/internal/orchestrator")
	require.Subset(t, list.apart[:6], []string{cliPackage, "github.com/pgtasker/pgtasker/internal/tests/modeltest", "github.com/pgtasker/pgtasker/internal/tests/racetest"})

	s.root = t.TempDir()
	_, err = s.packages(t.Context(), []string{"."}, false)
	require.ErrorContains(t, err, "pattern ./...", "it says why")
}

// Each file of the commands that has a go statement is reached by a test that runs with the race detector.
func TestCLI_RacesReachEachGoStatement(t *testing.T) {
	t.Parallel()
	dir := filepath.Join("..", "..", "..", "cmd", "tasker", "internal", "cli")
	reached := map[string]string{"demo.go": "TestDemo_", "local_page.go": "TestDemo_", "metrics.go": "TestOrchestrate_", "serve.go": "TestServe_", "worker.go": "TestWorkerDemo_"}
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	require.NoError(t, err)
	var tests strings.Builder
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		if strings.HasSuffix(file, "_test.go") {
			tests.Write(text)
			continue
		}
		starts, err := anyMatches(dir, []string{filepath.Base(file)}, goStatement)
		require.NoError(t, err)
		_, known := reached[filepath.Base(file)]
		require.Equal(t, known, starts, "%s: name the tests that reach its go statement", file)
	}
	for _, name := range reached {
		require.Regexp(t, cliRaces, name)
		require.Contains(t, tests.String(), "func "+name)
	}
}

// The tests that make the requests of sequential tests at once run with the race detector.
func TestSequential_LeavesTheTestsOfConcurrency(t *testing.T) {
	t.Parallel()
	for file, name := range map[string]string{
		"ui_screens_test.go": "TestServe_ScreensAreAskedForAtOnce", "ui_use_test.go": "TestServe_HintsAtChanges",
		"storm_test.go": "TestStorm_LeavesNoRoleBehind", "contract_test.go": "TestContract_EveryOperationAnswersAsDocumented",
	} {
		text, err := os.ReadFile(filepath.Join("..", "..", "..", "serve", file))
		require.NoError(t, err)
		require.Contains(t, string(text), "func "+name+"(")
		require.NotRegexp(t, sequential, name)
	}
}

// Other packages cannot import a package that has only tests, so such a package belongs in internal/tests.
func TestPackages_ThatHoldOnlyTestsStandInInternalTests(t *testing.T) {
	t.Parallel()
	list := exec.CommandContext(t.Context(), "go", "list", "-f", `{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}} {{join .GoFiles " "}}{{end}}`, "./internal/...")
	list.Dir = filepath.Join("..", "..", "..")
	out, err := list.Output()
	require.NoError(t, err)
	var inTests int
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line)
		if strings.Contains(fields[0], "/internal/tests/") {
			inTests++
			continue
		}
		require.NotEmpty(t, slices.DeleteFunc(fields[1:], func(f string) bool { return f == "doc.go" }), "%s holds only tests: move it to internal/tests", fields[0])
	}
	require.Greater(t, inTests, 20)
}

func TestUnfinished_IsNotReportedAsAFailure(t *testing.T) {
	t.Parallel()
	failed := gotest.Failure{Package: "b", Tests: []string{"TestX"}, TimedOut: true}
	s := suiteRun{parts: []part{{failures: []gotest.Failure{{Package: "a", TimedOut: true}, failed}}}}
	require.Equal(t, []string{"a"}, s.unfinished())
	require.Equal(t, []gotest.Failure{failed}, s.parts[0].failures)
}

func TestChoose_TakesWhatHasChanged(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for _, name := range []string{
		"go.mod", "a.go", "executor/a.go", "metrics/go.mod", "metrics/a.go", "metrics/sub/a.go", "bench/go.mod", "bench/a.go",
		"pgtap/kernel/claim/claim_steps/a.sql", "pgtap/kernel/result/inner/b.sql", "pgtap/operate/operators/calls/c.sql", "pgtap/operate/operators/other/d.sql",
		"db/schema/functions/operate/operators/other.sql",
	} {
		writeTest(t, filepath.Join(root, name), "")
	}
	writeTest(t, filepath.Join(root, "db/schema/functions/kernel/result/private/inner.sql"), "select 1")
	writeTest(t, filepath.Join(root, "db/schema/functions/kernel/result/private/middle.sql"), "select tasker.inner(1)")
	writeTest(t, filepath.Join(root, "db/schema/functions/operate/operators/calls.sql"), "select tasker.middle(1)")
	got := choose(root, []string{
		"README.md", "a.go", "bench/a.go", "executor/a.go", "executor/gone.go", "gone/x.go", "metrics/a.go", "metrics/sub/a.go",
		"db/schema/functions/kernel/claim/claim_steps.sql", "db/schema/functions/kernel/result/private/inner.sql",
		"db/schema/functions/kernel/claim/without_tests.sql", "pgtap/kernel/claim/claim_steps/a.sql", "pgtap/fixtures/100.sql",
	}, []string{".", "metrics"})
	require.Equal(t, []string{"pgtap/conventions", "pgtap/kernel/claim/claim_steps", "pgtap/kernel/result/inner", "pgtap/operate/operators/calls"}, got.pgtap)
	require.Equal(t, map[string][]string{".": {".", "./executor"}, "metrics": {".", "./sub"}}, got.packages)
	require.Equal(t, []string{".", "metrics"}, got.order)
	require.Empty(t, got.left)
}

func TestChanges_StartWhereTheBranchLeftMain(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	do := func(args ...string) {
		t.Helper()
		out, err := exec.CommandContext(t.Context(), "git", append([]string{"-C", root, "-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...).CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	do("init", "-q", "-b", "main")
	writeTest(t, filepath.Join(root, "old.sql"), "")
	do("add", "-A")
	do("commit", "-qm", "one")
	do("switch", "-qc", "work")
	writeTest(t, filepath.Join(root, "committed.sql"), "")
	do("add", "-A")
	do("commit", "-qm", "two")
	writeTest(t, filepath.Join(root, "new.sql"), "")
	got, err := changes(t.Context(), root, "main")
	require.NoError(t, err)
	require.Equal(t, []string{"committed.sql", "new.sql"}, got)
}

func TestPackages_ThatCannotBeListedSayWhy(t *testing.T) {
	t.Parallel()
	s := &suiteRun{root: t.TempDir()}
	require.NoError(t, os.WriteFile(filepath.Join(s.root, "go.mod"), []byte("this is no go.mod\n"), 0o600))
	_, err := s.packages(t.Context(), []string{"."}, false)
	require.ErrorContains(t, err, "go list in .: exit status 1\n")
	require.ErrorContains(t, err, "go.mod")
}
