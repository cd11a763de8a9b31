package gotest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestRun_SaysWhatFailedAndWhy(t *testing.T) {
	t.Parallel()
	dir := module(t, map[string]string{
		"good/a_test.go": `package good
import "testing"
func TestA(t *testing.T) {}
func TestB(t *testing.T) { t.Log("not to be seen") }
func TestC(t *testing.T) { t.Log("not yet"); t.Skip("no moon") }
func TestD(t *testing.T) { t.Run("inner", func(t *testing.T) { t.Skipf("no %s", "moon") }); t.SkipNow() }`,
		"none/none.go": `package none`,
		"bad/a_test.go": `package bad
import "testing"
func TestGood(t *testing.T) { t.Log("not to be seen") }
func TestBad(t *testing.T) { t.Run("inner", func(t *testing.T) { t.Error("one is two") }) }`,
		"slow/a_test.go": `package slow
import ("testing"; "time")
func TestForever(t *testing.T) { t.Parallel(); time.Sleep(time.Hour) }
func TestTurn(t *testing.T) { t.Parallel(); time.Sleep(time.Hour) }`,
		"broken/a_test.go": `package broken
import "testing"
func TestX(t *testing.T) { nonsense() }`,
		"panics/a_test.go": `package panics
import "testing"
func TestPanic(t *testing.T) { panic("oh no") }`,
		"dead/a_test.go": `package dead
import ("os"; "testing")
func TestMain(m *testing.M) { os.Exit(3) }
func TestX(t *testing.T) {}`,
	})
	var out strings.Builder
	got, err := Run{
		Dir: dir, Packages: []string{"./good", "./bad", "./slow", "./broken", "./panics", "./dead", "./none"},
		Flags: []string{"-timeout", "2s", "-parallel", "1"}, Env: env(), Out: &out, Every: time.Hour,
	}.Do(t.Context())
	require.NoError(t, err)
	require.Equal(t, 7, got.Packages)
	require.Equal(t, 3, got.Tests)
	require.Equal(t, []Skip{{Why: "no moon", Tests: 2, Packages: []string{"good"}}, {Why: "without a reason", Tests: 1, Packages: []string{"good"}}}, got.Skipped)

	why := map[string]Failure{}
	for _, f := range got.Failed {
		why[f.Package] = f
		require.NotContains(t, f.Output, "not to be seen")
		require.Contains(t, out.String(), "FAIL "+f.Package+": "+f.Why+"\n")
	}
	require.Len(t, why, 5)
	require.Equal(t, "TestPanic", why["example.com/m/panics"].Why)
	require.Contains(t, why["example.com/m/panics"].Output, "panic: oh no")
	require.Equal(t, "TestBad/inner", why["example.com/m/bad"].Why)
	require.Contains(t, why["example.com/m/bad"].Output, "one is two")
	require.Regexp(t, "^timed out in Test(Forever|Turn)$", why["example.com/m/slow"].Why)
	require.Contains(t, why["example.com/m/slow"].Output, "test timed out after 2s")
	require.NotContains(t, why["example.com/m/slow"].Output, "goroutine")
	require.True(t, why["example.com/m/slow"].TimedOut)
	require.Equal(t, "does not compile", why["example.com/m/broken"].Why)
	require.Contains(t, why["example.com/m/broken"].Output, "undefined: nonsense")
	require.Equal(t, "ended before its tests did", why["example.com/m/dead"].Why)
}

// A package that a quick run ends for lack of time has not failed. A test that failed before the end has failed.
func TestRun_NamesPackagesForWhichItHasNoTime(t *testing.T) {
	t.Parallel()
	dir := module(t, map[string]string{
		"slow/a_test.go": `package slow
import ("testing"; "time")
func TestForever(t *testing.T) { time.Sleep(time.Hour) }`,
		"bad/a_test.go": `package bad
import ("testing"; "time")
func TestBad(t *testing.T) { t.Fatal("one is two") }
func TestForever(t *testing.T) { time.Sleep(time.Hour) }`,
	})
	var out strings.Builder
	got, err := Run{
		Dir: dir, Packages: []string{"./slow", "./bad"}, Flags: []string{"-timeout", "2s"}, Env: env(), Out: &out, Every: time.Hour, Cut: true,
	}.Do(t.Context())
	require.NoError(t, err)
	require.Len(t, got.Failed, 2)
	require.Contains(t, out.String(), "  no time for example.com/m/slow\n")
	require.NotContains(t, out.String(), "FAIL example.com/m/slow")
	require.Contains(t, out.String(), "  FAIL example.com/m/bad: timed out in TestForever\n")
}

func TestRun_SaysHowFarItIs(t *testing.T) {
	t.Parallel()
	dir := module(t, map[string]string{"good/a_test.go": "package good\nimport \"testing\"\nfunc TestA(t *testing.T) {}"})
	var out strings.Builder
	got, err := Run{Dir: dir, Packages: []string{"./good"}, Env: env(), Out: &out, Every: time.Millisecond}.Do(t.Context())
	require.NoError(t, err)
	require.Empty(t, got.Failed)
	require.Contains(t, out.String(), "0 of 1 packages, 0 tests passed, 0s; compiling (minutes, the first time)\n")
}

func TestRun_WithoutPackagesIsAnError(t *testing.T) {
	t.Parallel()
	dir := module(t, map[string]string{"good/a.go": "package good"})
	run := Run{Dir: dir, Env: env(), Out: &strings.Builder{}, Every: time.Hour}
	_, err := run.Do(t.Context())
	require.ErrorContains(t, err, "no package")
	run.Packages = []string{"./missing"}
	got, err := run.Do(t.Context())
	require.NoError(t, err)
	require.Len(t, got.Failed, 1)
	require.Equal(t, "does not compile", got.Failed[0].Why)
}

func TestBook_ListsFewNames(t *testing.T) {
	t.Parallel()
	require.Equal(t, "a, b, c and 2 more", list([]string{"a", "b", "c", "d", "e"}))
	require.Equal(t, []string{"A/x", "B"}, leaves([]string{"A/x", "A", "B"}))
}

func TestBook_NamesTheSlowestPackages(t *testing.T) {
	t.Parallel()
	b := newBook(8)
	for i, name := range []string{"m/a", "m/b", "m/c", "m/d", "m/e", "m/f"} {
		b.add(event{Action: "pass", Package: name, Elapsed: float64(6 + i)})
	}
	b.add(event{Action: "pass", Package: "m/quick", Elapsed: 4.9})
	require.Equal(t, []string{"f 11s", "e 10s", "d 9s", "c 8s", "b 7s"}, b.result().Slowest)
}

func module(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	files["go.mod"] = "module example.com/m\n\ngo 1.26\n"
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
	return dir
}

func env() []string { return append(os.Environ(), "GOWORK=off", "GOFLAGS=") }
