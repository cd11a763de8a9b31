package schema_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// granted matches a function file that roles may call.
var granted = regexp.MustCompile(`(?m)^grant execute`)

// A private function stands in the folder "private" of its room. Functions that roles may call stand above this
// folder.
func TestRooms_KeepPrivateFunctionsApart(t *testing.T) {
	t.Parallel()
	for _, root := range []string{"../../db/schema/functions", "../../db/schema/tasklib/functions"} {
		walk(t, root, func(path string, text string) {
			private := filepath.Base(filepath.Dir(path)) == "private"
			require.NotEqual(t, private, granted.MatchString(text), "%s: granted, or in a folder private, but not both", path)
		})
	}
}

// Row types are views without rows. They stand in folders of their own, apart from tables and from views that are queried.
func TestRooms_KeepRowTypesApart(t *testing.T) {
	t.Parallel()
	seen := 0
	walk(t, "../../db/schema", func(path string, text string) {
		isRowType := rowType.MatchString(text)
		require.Equal(t, slices.Contains(strings.Split(path, string(filepath.Separator)), "rows"), isRowType, path)
		if isRowType {
			seen++
		}
	})
	require.Greater(t, seen, 80)
}

// rowType matches the file of a row type. A column that may be null is a null. Any other column is a value of its
// type.
var rowType = regexp.MustCompile(`\Acreate or replace view [a-z_.]+ as\nselect\n(?:  [^ ]+::[a-z_. ]+(?:\[\])? as [a-z_0-9]+,?\n)+where false;\n`)

// walk calls visit for each SQL file below root.
func walk(t *testing.T, root string, visit func(path string, text string)) {
	t.Helper()
	files := 0
	require.NoError(t, filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".sql" {
			return err
		}
		text, err := os.ReadFile(path)
		files++
		visit(path, string(text))
		return err
	}))
	require.NotZero(t, files, root)
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(text)
}
