package schema_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// granted matches a function file that roles may call.
var granted = regexp.MustCompile(`(?m)^grant execute`)

// A private function stands in the folder "private" of its room; what roles may call stands above it.
func TestRooms_KeepPrivateFunctionsApart(t *testing.T) {
	t.Parallel()
	for _, root := range []string{"../../db/schema/functions", "../../db/schema/tasklib/functions"} {
		walk(t, root, func(path string, text string) {
			private := filepath.Base(filepath.Dir(path)) == "private"
			require.NotEqual(t, private, granted.MatchString(text), "%s: granted, or in a folder private, but not both", path)
		})
	}
}

// Row types hold no rows; they stand apart from tables, which do.
func TestRooms_KeepRowTypesApart(t *testing.T) {
	t.Parallel()
	walk(t, "../../db/schema", func(path string, text string) {
		kind := filepath.Base(filepath.Dir(path))
		if kind == "rows" || kind == "tables" {
			require.Equal(t, kind == "rows", strings.Contains(text, "check (false) no inherit"), path)
		}
	})
}

func TestRooms_HoldSixtyFilesAtMost(t *testing.T) {
	t.Parallel()
	count := map[string]int{}
	walk(t, "../../db/schema", func(path string, _ string) { count[filepath.Dir(path)]++ })
	for room, files := range count {
		require.LessOrEqual(t, files, 60, room)
	}
}

// walk calls visit for each SQL file below root.
func walk(t *testing.T, root string, visit func(path string, text string)) {
	t.Helper()
	files := 0
	require.NoError(t, filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".sql" {
			return err
		}
		text, err := os.ReadFile(path) //nolint:gosec // a file of the repository
		files++
		visit(path, string(text))
		return err
	}))
	require.NotZero(t, files, root)
}
