package catalog_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/catalog"
)

func TestDiff_NamesWhatIsMissingAddedAndChanged(t *testing.T) {
	t.Parallel()
	want := catalog.Objects{
		{Name: "function f", Lines: []string{"one", "two", "three"}},
		{Name: "table a", Lines: []string{"owner x"}},
		{Name: "table c", Lines: []string{"same"}},
	}
	got := catalog.Objects{
		{Name: "function f", Lines: []string{"one", "2", "three", "four"}},
		{Name: "table b", Lines: []string{"owner y"}},
		{Name: "table c", Lines: []string{"same"}},
	}
	require.Equal(t, " function f\n-  two\n+  2\n+  four\n-table a\n+table b\n", catalog.Diff(want, got))
	require.Empty(t, catalog.Diff(want, want))
	require.Empty(t, catalog.Diff(nil, nil))
}

func TestDiffLines_IsAsShortAsCanBe(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct{ want, got, diff []string }{
		"nothing":          {nil, nil, nil},
		"all new":          {nil, []string{"a"}, []string{"+a"}},
		"all gone":         {[]string{"a"}, nil, []string{"-a"}},
		"one in between":   {[]string{"a", "c"}, []string{"a", "b", "c"}, []string{"+b"}},
		"one repeated":     {[]string{"a", "a"}, []string{"a", "a", "a"}, []string{"+a"}},
		"a line moved":     {[]string{"a", "b", "c"}, []string{"b", "c", "a"}, []string{"-a", "+a"}},
		"nothing the same": {[]string{"a", "b"}, []string{"c"}, []string{"-a", "-b", "+c"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, row.diff, catalog.DiffLines(row.want, row.got))
		})
	}
}
