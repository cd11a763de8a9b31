package page_test

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/pgtasker/pgtasker/internal/docs/page"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// read reads a page. A test writes three apostrophes in place of a page's three backquotes.
func read(t *testing.T, text string) (*page.Page, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "page.md")
	require.NoError(t, os.WriteFile(path, []byte(strings.ReplaceAll(text, "'''", "```")), 0o600))
	return page.Read(path)
}

func follow(t *testing.T, text string) (dir string, err error) {
	t.Helper()
	p, err := read(t, text)
	require.NoError(t, err)
	dir = t.TempDir()
	return dir, page.Reader{Dir: dir, Env: os.Environ(), Log: func(page.Block, string) {}}.Follow(t.Context(), p)
}

func TestRead_RefusesBlocksThatItCannotRun(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"'''\necho\n'''\n":            `:1: a block in ""`,
		"a\n\n'''json\n{}\n'''\n":     `:3: a block in "json"`,
		"'''sh maybe\ntrue\n'''\n":    "sh maybe: unknown option",
		"'''sh error\nfalse\n'''\n":   "sh error: unknown option",
		"'''yaml\nname: order\n'''\n": "a comment with the file's name",
		"'''sh\ntrue\n":               "the block has no end",
		"<!-- generated: x -->\n'''\n'''\n<!-- end -->\n'''c\n'''\n": `:5: a block in "c"`,
	} {
		_, err := read(t, text)
		require.ErrorContains(t, err, want, text)
	}
}

func TestFollow_SaysThatTheTimeWasUp(t *testing.T) {
	t.Parallel()
	p, err := read(t, "'''sh\necho before; sleep 600\n'''\n")
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	err = page.Reader{Dir: t.TempDir(), Env: os.Environ(), Log: func(page.Block, string) {}}.Follow(ctx, p)
	require.ErrorContains(t, err, ":1: TIMED OUT: the page's time was up when this block had run for")
	require.ErrorContains(t, err, "before")
}

func TestRead_TellsFilesAndExcerptsApart(t *testing.T) {
	t.Parallel()
	p, err := read(t, "'''go\n// main.go\npackage main\n'''\n'''go\nx := 1\n\nreturn x\n'''\n'''go skip\ny\n'''\n")
	require.NoError(t, err)
	require.Equal(t, "main.go", p.Blocks[0].File)
	require.Len(t, p.Excerpts(), 1)
	require.True(t, p.Excerpts()[0].Contains("func f() int {\n\tx := 1\n\tcheck(x)\n\treturn x\n}\n"))
	require.False(t, p.Excerpts()[0].Contains("func f() int {\n\tx := 11\n\treturn x\n}\n"))
}

func TestSame_LeavesOutWhatDiffersFromRunToRun(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		want, have string
		same       bool
	}{
		{"a  b\n", "a b\n\n", true},
		{"a\n", "b\n", false},
		{"a\n", "a\nb\n", false},
		{"a\n…\n", "a\nb\n", true},
		{"…\nb\n", "a\nb\n", true},
		{"a\n…\nc\n", "a\nb\n", false},
		{"done by … today\n", "done by eve today\n", true},
		{"done by … today\n", "done by eve\n", false},
		{"task 01a1ff29-edd1-714f-815e-91a044b60000\n", "task 01a1ff2a-f1b1-7c5a-9887-162291180000\n", true},
		{"at 2026-11-21 17:31:40, 70ms ago\n", "at 2026-12-24 00:00:00.5+01, 1h2m3s ago\n", true},
		{"2 of 4 steps\n", "3 of 4 steps\n", false},
		{"+---+----+\n", "+-----+------+\n", true},
		{"ERROR: no\n", "psql:/tmp/page-1/4.sql:1: ERROR:  no\n", true},
	} {
		require.Equal(t, c.same, page.Same(c.want, c.have), "%q and %q", c.want, c.have)
	}
}

func TestFollow_KeepsFilesVariablesAndDirectories(t *testing.T) {
	t.Parallel()
	dir, err := follow(t, "'''yaml\n# a/b.yaml\nx: 1\n'''\n'''sh\ncd a\nn=$(cat b.yaml | wc -l)\n'''\n'''sh\necho $n lines in $(basename \"$PWD\")\n'''\n"+
		"'''text\n2 lines in a\n'''\n'''sh skip\nrm -r /\n'''\n")
	require.NoError(t, err)
	require.FileExists(t, filepath.Join(dir, "a/b.yaml"))
}

func TestFollow_TellsOfEveryOtherOutput(t *testing.T) {
	t.Parallel()
	_, err := follow(t, "'''sh\necho one\n'''\n'''text\ntwo\n'''\n'''sh\necho three\n'''\n'''text\nfour\n'''\n'''text\nfive\n'''\n")
	require.ErrorContains(t, err, "page.md:4: the page says\ntwo\n\nbut this came\none\n")
	require.ErrorContains(t, err, "page.md:10: the page says\nfour\n")
	require.ErrorContains(t, err, "page.md:13: there is no command just before this output")
}

func TestFollow_EndsWhereACommandFails(t *testing.T) {
	t.Parallel()
	dir, err := follow(t, "'''sh\necho begun\nfalse | true\necho never\n'''\n'''sh\ntouch after\n'''\n")
	require.ErrorContains(t, err, "page.md:1: the block failed\nbegun\n")
	require.NoFileExists(t, filepath.Join(dir, "after"))
}

func TestFollow_RefusesFilesElsewhere(t *testing.T) {
	t.Parallel()
	_, err := follow(t, "'''go\n// ../main.go\npackage main\n'''\n")
	require.ErrorContains(t, err, `file "../main.go" is not below the page's directory`)
}

func TestFollow_EndsBackgroundJobs(t *testing.T) {
	t.Parallel()
	dir, err := follow(t, "'''sh\nsleep 1000 &\necho $! > pid\n'''\n")
	require.NoError(t, err)
	text, err := os.ReadFile(filepath.Join(dir, "pid"))
	require.NoError(t, err)
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	require.NoError(t, err)
	require.Eventually(t, func() bool {
		state, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
		return syscall.Kill(pid, 0) != nil || err == nil && strings.Contains(string(state), ") Z ")
	}, 10*time.Second, 10*time.Millisecond)
}

func TestPrograms_AreCopiedWithTheirIndentationAndOrder(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "page.md")
	text := "```python retries.py\ndef f():\n    return 1\n\n\ng = f\n```\n```ts retries.ts\nf();\n```\n```ts\ng();\n```\n"
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	p, err := page.Read(path)
	require.NoError(t, err)
	programs := p.Programs()
	require.Len(t, programs, 2)
	require.Equal(t, "clients/python/examples/howto/retries.py", programs[0].Program())
	require.Equal(t, "clients/typescript/examples/howto/retries.ts", programs[1].Program())
	require.True(t, programs[0].Copied("import x\n\ndef f():\n    return 1\n\nh = 2\n\ng = f\n"))
	require.False(t, programs[0].Copied("def f():\n  return 1\n\ng = f\n"), "another indentation")
	require.False(t, programs[0].Copied("g = f\n\ndef f():\n    return 1\n"), "another order")

	require.NoError(t, os.WriteFile(path, []byte("```python\nf()\n```\n"), 0o600))
	_, err = page.Read(path)
	require.ErrorContains(t, err, "names the program")
}

func TestFollow_PassesOverPrograms(t *testing.T) {
	t.Parallel()
	_, err := follow(t, "'''python retries.py\nno python(\n'''\n'''ts retries.ts\nno ts(\n'''\n'''sh\necho one\n'''\n'''text\none\n'''\n")
	require.NoError(t, err)
}
