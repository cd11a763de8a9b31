package conformance

import (
	"archive/zip"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/docs/page"
	"github.com/pgtasker/pgtasker/internal/pgtest"
)

const envGoWorker = "PGTASKER_CONFORMANCE_GO"

func TestMain(m *testing.M) {
	if os.Getenv(envGoWorker) != "" {
		if err := goWorker(context.Background()); err != nil {
			panic(err)
		}
		return
	}
	pgtest.Main(m)
}

// repository returns the path of a directory of the repository.
func repository(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("../../..", name))
	require.NoError(t, err)
	return path
}

func python(t *testing.T) Worker {
	t.Helper()
	if os.Getenv("PGTASKER_TEST_PYTHON") == "" {
		t.Skip("make test-python runs it")
	}
	return Worker{Command: []string{os.Getenv("PGTASKER_TEST_PYTHON"), "-m", "tests.conformance_worker"}, Dir: repository(t, "clients/python")}
}

func typescript(t *testing.T) Worker {
	t.Helper()
	if os.Getenv("PGTASKER_TEST_NODE") == "" {
		t.Skip("make test-typescript runs it")
	}
	return Worker{Command: []string{os.Getenv("PGTASKER_TEST_NODE"), "build/test/conformance-worker.js"}, Dir: repository(t, "clients/typescript")}
}

// TestPython_TheWheelIsMadeWithTheSchema makes the wheel of a release.
func TestPython_TheWheelIsMadeWithTheSchema(t *testing.T) {
	t.Parallel()
	_ = python(t)
	dir := t.TempDir()
	out, err := exec.CommandContext(t.Context(), repository(t, "tools/dist-clients.sh"), dir, "wheel").CombinedOutput()
	require.NoError(t, err, "%s", out)
	wheels, err := filepath.Glob(filepath.Join(dir, "pgtasker-*.whl"))
	require.NoError(t, err)
	require.Len(t, wheels, 1)
	wheel, err := zip.OpenReader(wheels[0])
	require.NoError(t, err)
	defer func() { require.NoError(t, wheel.Close()) }()
	schema, err := wheel.Open("pgtasker/schema.sql")
	require.NoError(t, err)
	text, err := io.ReadAll(schema)
	require.NoError(t, err)
	migrations, err := filepath.Glob(repository(t, "db/migrations/*.sql"))
	require.NoError(t, err)
	require.Equal(t, len(migrations), strings.Count(string(text), "insert into tasker_meta.schema_migrations"))
}

// connected returns a client's worker that connects directly to the database.
func connected(w Worker) Worker {
	w.Env, w.SQL = append(w.Env, "TASKER_DIRECT=1"), true
	return w
}

func overSQL(t *testing.T) Worker {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	return Worker{Command: []string{self}, Env: []string{envGoWorker + "=1"}, SQL: true}
}

func TestConformance_GoOverSQL(t *testing.T) {
	t.Parallel()
	Run(t, overSQL(t))
}

func TestSite_StopsAWorkerThatHasJustStarted(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.register(t, "echo", `[{"name": "echo"}]`)
	for range 3 {
		s.run(t, overSQL(t), "10").stop(t)
	}
}

func TestConformance_Python(t *testing.T) {
	t.Parallel()
	Run(t, python(t))
}

func TestConformance_PythonOverSQL(t *testing.T) {
	t.Parallel()
	w := python(t)
	w.Env, w.SQL = []string{"TASKER_DIRECT=1"}, true
	Run(t, w)
}

func TestConformance_TypeScript(t *testing.T) {
	t.Parallel()
	Run(t, typescript(t))
}

func TestConformance_TypeScriptOverPostgreSQL(t *testing.T) {
	t.Parallel()
	Run(t, connected(typescript(t)))
}

// TestConformance_AnyWorker runs the suite on the worker that the environment names.
func TestConformance_AnyWorker(t *testing.T) {
	t.Parallel()
	command := strings.Fields(os.Getenv("PGTASKER_CONFORMANCE"))
	if len(command) == 0 {
		t.Skip("PGTASKER_CONFORMANCE names no worker")
	}
	Run(t, Worker{Command: command, Dir: repository(t, os.Getenv("PGTASKER_CONFORMANCE_DIR"))})
}

// runOwnTests runs the tests of a client's own suite against a server.
func runOwnTests(t *testing.T, w Worker, arguments ...string) {
	t.Helper()
	s := newSite(t)
	command := exec.CommandContext(t.Context(), w.Command[0], arguments...)
	command.Dir = w.Dir
	command.Env = append(os.Environ(), "TASKER_URL="+s.url, "TASKER_TOKEN="+s.token, "DATABASE_URL="+pgtest.URL(s.pool), "TASKER_OPERATOR_TOKEN="+s.newToken(t, "operator", "operator"))
	output, err := command.CombinedOutput()
	require.NoError(t, err, "%s", output)
	t.Logf("%s", output)
}

func TestPython_PassesItsOwnTests(t *testing.T) {
	t.Parallel()
	w := python(t)
	ownTests(t, w, "tests/test_*.py", func(file string) []string {
		return []string{"-m", "tests", strings.ReplaceAll(strings.TrimSuffix(file, ".py"), "/", ".")}
	})
}

// TestTypeScript_PackageDoesWhatItsPagesSay installs the package from its file in an empty directory, and follows the pages there. It
// uses databases without a schema, since the package has the schema. The test is not parallel, because on a slow machine the worker logs
// a call that timed out, and the page does not show this line.
func TestTypeScript_PackageDoesWhatItsPagesSay(t *testing.T) {
	w := typescript(t)
	guide, err := page.Read(repository(t, "docs/typescript-only-postgresql.md"))
	require.NoError(t, err)
	dir, database := t.TempDir(), pgtest.URL(pgtest.NewEmpty(t))
	env := append(os.Environ(), "PGTASKER="+repository(t, "."), "DATABASE_URL="+database, "TZ=UTC", "LC_ALL=C.UTF-8")
	reader := page.Reader{Dir: dir, Env: env, Database: database, Log: func(b page.Block, output string) { t.Logf("line %d\n%s", b.Line, output) }}
	require.NoError(t, reader.Follow(t.Context(), guide))

	readme, err := page.Read(filepath.Join(w.Dir, "README.md"))
	require.NoError(t, err)
	readme.Blocks = append(readme.Blocks,
		page.Block{Language: "sh", Text: "npx tsc --target es2022 --module nodenext --strict first.ts\nnode first.js | grep PAID\n"},
		page.Block{Language: "text", Text: "PAID FOR SHELF 70\n"})
	require.LessOrEqual(t, strings.Count(readme.Blocks[0].Text, "\n"), 20, "the first workflow has at most 20 lines")
	require.NoError(t, reader.Follow(t.Context(), readme))
}

func TestTypeScript_TestKitRunsInVitest(t *testing.T) {
	t.Parallel()
	w := typescript(t)
	command := exec.CommandContext(t.Context(), w.Command[0], "node_modules/vitest/vitest.mjs", "run", "--root", ".")
	command.Dir = filepath.Join(w.Dir, "vitest")
	output, err := command.CombinedOutput()
	require.NoError(t, err, "%s", output)
	require.Contains(t, string(output), "4 passed")
}

func TestTypeScript_PassesItsOwnTests(t *testing.T) {
	t.Parallel()
	w := typescript(t)
	ownTests(t, w, "build/test/*.test.js", func(file string) []string { return []string{"--test", file} })
}

// ownTests runs the files of a client's own suite, or the files that PGTASKER_OWN_TESTS names. They run at the same time, each
// on a database of its own.
func ownTests(t *testing.T, w Worker, pattern string, arguments func(file string) []string) {
	t.Helper()
	files := strings.Fields(os.Getenv("PGTASKER_OWN_TESTS"))
	if len(files) == 0 {
		found, err := filepath.Glob(filepath.Join(w.Dir, pattern))
		require.NoError(t, err)
		for _, file := range found {
			name, err := filepath.Rel(w.Dir, file)
			require.NoError(t, err)
			files = append(files, name)
		}
	}
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			runOwnTests(t, w, arguments(file)...)
		})
	}
}
