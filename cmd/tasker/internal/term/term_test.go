package term_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/cmd/tasker/internal/term"
)

func written(t *testing.T, table *term.Table, out term.Output) string {
	t.Helper()
	var b bytes.Buffer
	out.Writer = &b
	require.NoError(t, table.Write(&out))
	return "\n" + b.String()
}

func sample() *term.Table {
	table := term.NewTable("NAME", "N", "NOTE")
	table.Row(term.Text("reserve"), term.Number(7), term.Text("all that there is to say about it"))
	table.Row(term.Text("漢字"), term.Number(1234), term.Colored("short", term.Green))
	table.Row(term.Text("alone"))
	return table
}

func TestTable_IsAsWideAsItsCells(t *testing.T) {
	t.Parallel()
	require.Equal(t, `
NAME        N  NOTE
reserve     7  all that there is to say about it
漢字     1234  short
alone
`, written(t, sample(), term.Output{}))
}

func TestTable_CutsTheWidestColumnsToFit(t *testing.T) {
	t.Parallel()
	out := written(t, sample(), term.Output{Width: 30})
	require.Equal(t, `
NAME        N  NOTE
reserve     7  all that there…
漢字     1234  short
alone
`, out)
	for line := range strings.Lines(out) {
		require.LessOrEqual(t, term.Width(strings.TrimSuffix(line, "\n")), 30)
	}
	require.Contains(t, written(t, sample(), term.Output{Width: 23}), "all tha…", "down to eight")
}

func TestTable_WrapsItsLastColumn(t *testing.T) {
	t.Parallel()
	require.Equal(t, `
NAME        N  NOTE
reserve     7  all that there is to say
               about it
漢字     1234  short
alone
`, written(t, sample().Wrap(), term.Output{Width: 40}))
}

func TestTable_NeverCutsWhatIsWhole(t *testing.T) {
	t.Parallel()
	table := term.NewTable("ID", "NAME")
	table.Row(term.Whole("0199d0c4-7a11-7c3e-8f00-5b1d2c3a0000"), term.Text("a name that is long"))
	require.Equal(t, `
ID                                    NAME
0199d0c4-7a11-7c3e-8f00-5b1d2c3a0000  a name …
`, written(t, table, term.Output{Width: 46}))
}

func TestTable_LeavesOutColumnsThatYieldInTheirOrder(t *testing.T) {
	t.Parallel()
	table := func() *term.Table {
		table := term.NewTable("ID", "NAME", "NOTE", "AGE", "TAG").Yield("NOTE", "AGE", "TAG")
		table.Row(term.Whole("14e7617b"), term.Text("a name that is long"), term.Text("a note"), term.Text("3m 10s"))
		return table
	}
	for width, want := range map[int]string{
		60: "ID        NAME                 NOTE    AGE     TAG\n14e7617b  a name that is long  a note  3m 10s\n",
		50: "ID        NAME                 NOTE    AGE     TAG\n14e7617b  a name that is long  a note  3m 10s\n",
		47: "ID        NAME              NOTE    AGE     TAG\n14e7617b  a name that is …  a note  3m 10s\n",
		46: "ID        NAME                 NOTE    AGE\n14e7617b  a name that is long  a note  3m 10s\n", // the empty column is dropped first
		40: "ID        NAME                 AGE\n14e7617b  a name that is long  3m 10s\n",
		30: "ID        NAME\n14e7617b  a name that is long\n",
		20: "ID        NAME\n14e7617b  a name th…\n",
	} {
		require.Equal(t, "\n"+want, written(t, table(), term.Output{Width: width}), width)
	}
}

func TestTable_FitsEveryWidth(t *testing.T) {
	t.Parallel()
	for width := 1; width < 90; width++ {
		table := term.NewTable("ID", "NAME", "NOTE", "N").Yield("NOTE")
		table.Row(term.Whole("0199d0c4-7a11-7c3e-8f00-5b1d2c3a0000"), term.Text("漢字 that is long"), term.Text("漢字漢字漢字"), term.Number(123456))
		for line := range strings.Lines(written(t, table, term.Output{Width: width})) {
			require.LessOrEqual(t, term.Width(strings.TrimSuffix(line, "\n")), width)
		}
	}
}

func TestTable_DrawsOnBesideWrappedLines(t *testing.T) {
	t.Parallel()
	table := term.NewTable("", "").Wrap()
	table.Row(term.Drawing("", "●", term.Green, " │").Over("│ │"), term.Text("one two three four five six seven eight"))
	require.Equal(t, `
● │  one two three four five
│ │  six seven eight
`, written(t, table, term.Output{Width: 30}))
}

func TestTable_PaintsOnlyWhereThereAreColors(t *testing.T) {
	t.Parallel()
	table := term.NewTable("", "A")
	table.Row(term.Drawing("│ ", "●", term.Green, " │"), term.Colored("x", term.Red))
	require.Equal(t, "\n       A\n│ ● │  x\n", written(t, table, term.Output{}))
	require.Equal(t, "\n       \x1b[1mA\x1b[0m\n\x1b[2m│ \x1b[0m\x1b[32m●\x1b[0m\x1b[2m │\x1b[0m  \x1b[31mx\x1b[0m\n",
		written(t, table, term.Output{Color: true}))
	require.Equal(t, "\n       A\n| * |  x\n", written(t, table, term.Output{ASCII: true}))
}

func TestFields_LeavesOutWhatIsEmpty(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	require.NoError(t, term.Fields(&term.Output{Writer: &b}, "name", "a", "nothing", "", "longer name", "b"))
	require.Equal(t, "name         a\nlonger name  b\n", b.String())
}

func TestNew_WithoutATerminalChoosesASCIIByLocale(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		env   map[string]string
		ascii bool
	}{
		{nil, false},
		{map[string]string{"LANG": "C"}, true},
		{map[string]string{"LANG": "C.UTF-8"}, false},
		{map[string]string{"LANG": "C", "LC_ALL": "de_DE.utf8"}, false},
		{map[string]string{"LC_CTYPE": "POSIX", "LANG": "C.UTF-8"}, true},
	} {
		var b bytes.Buffer
		out := term.New(&b, func(name string) string { return test.env[name] })
		require.Equal(t, &term.Output{Writer: &b, ASCII: test.ascii}, out)
	}
}

func TestClean_LeavesNothingThatSteersATerminal(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                                 "",
		"  two\n lines\t":                  "two lines",
		"\x1b[31mred\x07":                  "\ufffd[31mred\ufffd",
		"\u009b31m":                        "\ufffd31m",
		"right\u202eleft":                  "right\ufffdleft",
		"héllo 漢字":                         "héllo 漢字",
		string([]byte{'a', 0xff, 'b'}):     "a\ufffdb",
		"a" + strings.Repeat(" ", 9) + "b": "a b",
	} {
		require.Equal(t, want, term.Clean(text))
	}
	require.Equal(t, "a\n\tb\ufffd", term.CleanLines("a\n\tb\x1b"))
}

func TestCutAndWidth(t *testing.T) {
	t.Parallel()
	require.Equal(t, 4, term.Width("漢字"))
	require.Equal(t, 1, term.Width("e\u0301"))
	for _, test := range []struct {
		text    string
		columns int
		want    string
	}{
		{"abc", 3, "abc"},
		{"abcd", 3, "ab…"},
		{"漢字漢字", 5, "漢字…"},
		{"漢字漢字", 4, "漢…"},
		{"abc", 1, "…"},
		{"abc", 0, ""},
	} {
		have := term.Cut(test.text, test.columns)
		require.Equal(t, test.want, have)
		require.LessOrEqual(t, term.Width(have), test.columns)
	}
}

func TestWrap(t *testing.T) {
	t.Parallel()
	require.Equal(t, []string{"one two"}, term.Wrap("one two", 0))
	require.Equal(t, []string{"one two", "three"}, term.Wrap("one two three", 8))
	require.Equal(t, []string{"a", "longerthanthat", "b"}, term.Wrap("a longerthanthat b", 5))
}
