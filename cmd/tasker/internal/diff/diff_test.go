package diff_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/cmd/tasker/internal/diff"
)

func TestLines(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, old, new, want string }{
		{"equal texts differ in nothing", "a\nb\n", "a\nb\n", ""},
		{"from nothing", "", "a\nb\n", "+ a\n+ b\n"},
		{"to nothing", "a\n", "", "- a\n"},
		{"a line in the middle", "a\nb\nc\n", "a\nB\nc\n", "  a\n- b\n+ B\n  c\n"},
		{"far lines are left out", "a\nb\nc\nd\ne\nf\n", "a\nb\nc\nd\nE\nf\n", "  …\n  d\n- e\n+ E\n  f\n"},
		{"between two changes too", "a\n1\n2\n3\nb\n", "A\n1\n2\n3\nB\n", "- a\n+ A\n  1\n  …\n  3\n- b\n+ B\n"},
		{"a moved line", "a\nb\nc\n", "b\nc\na\n", "- a\n  b\n  c\n+ a\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var b strings.Builder
			for _, line := range diff.Lines(test.old, test.new, 1) {
				b.WriteString(line.String() + "\n")
			}
			require.Equal(t, test.want, b.String())
		})
	}
}

func TestLines_ComparesLongTextsThatDiffer(t *testing.T) {
	t.Parallel()
	old := "first\n" + strings.Repeat("a\n", 10_000) + "last\n"
	lines := diff.Lines(old, strings.ReplaceAll(old, "a\n", "b\n"), 1)
	require.Len(t, lines, 20_002)
	require.Equal(t, "  first", lines[0].String())
	require.Equal(t, "- a", lines[1].String())
	require.Equal(t, "+ b", lines[20_000].String())
	require.Equal(t, "  last", lines[20_001].String())
}
