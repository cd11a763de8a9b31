package schema_test

import (
	"io/fs"
	"maps"
	"os"
	"path"
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

func TestRooms_HoldSixtyFourFilesAtMost(t *testing.T) {
	t.Parallel()
	count := map[string]int{}
	walk(t, "../../db/schema", func(path string, _ string) { count[filepath.Dir(path)]++ })
	for room, files := range count {
		require.LessOrEqual(t, files, 64, room)
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
		text, err := os.ReadFile(path)
		files++
		visit(path, string(text))
		return err
	}))
	require.NotZero(t, files, root)
}

// places are the folders of pgtap that are no rooms.
var places = []string{"00_fixtures", "conventions", "fixtures", "pgmq", "tables", "tasklib", "views"}

// behaviours are the folders of tests that belong to no single function, by room.
var behaviours = map[string][]string{
	"features/branches":   {"first", "on", "registration", "undo"},
	"features/broadcasts": {"access", "await", "broadcasts"},
	"features/children":   {"cancel", "explain", "registration", "retry"},
	"features/limits":     {"births", "places", "registration"},
	"features/maps":       {"allow_failures", "for_each", "max_parallel", "operators", "registration", "results"},
	"features/undo":       {"compensate"},
	"features/waits":      {"access", "await"},
}

// The tests of a function, its query and its method stand in the same room as the function.
func TestRooms_AreTheSameEverywhere(t *testing.T) {
	t.Parallel()
	functions := rooms(t)
	known := func(room string) bool { return slices.Contains(slices.Collect(maps.Values(functions)), room) }

	for _, folder := range glob(t, "../../pgtap/*/*/*") {
		name, room := filepath.Base(folder), roomOf(folder)
		if slices.Contains(places, path.Dir(room)) {
			continue
		}
		require.True(t, known(room), "pgtap/%s is no room of db/schema/functions", room)
		require.True(t, functions[name] == room || slices.Contains(behaviours[room], name), "%s: the function is in room %q", folder, functions[name])
	}

	for _, file := range glob(t, "../../queries/*/*.sql") {
		if strings.HasPrefix(file, filepath.Join("../../queries", "tasklib")) {
			continue
		}
		room := strings.TrimSuffix(roomOf(filepath.Join(file, "query")), ".sql")
		require.True(t, known(room), "%s is no room of db/schema/functions", file)
		for _, query := range strings.Split(read(t, file), "-- name: ")[1:] {
			require.True(t, slices.ContainsFunc(calls.FindAllStringSubmatch(query, -1), func(found []string) bool {
				return functions[found[1]] == room
			}), "%s: no function of the room is called by %.40s", file, query)
		}
	}

	seen := 0
	for _, file := range append(glob(t, "../../executor/*.go"), glob(t, "../../gen/sqlfn/*.go")...) {
		name := filepath.Base(file)
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		for _, found := range methods.FindAllStringSubmatch(read(t, file), -1) {
			function := strings.ToLower(words.ReplaceAllString(found[1], "${1}_$2"))
			if room := functions[function]; room != "" {
				require.Contains(t, []string{path.Base(room) + ".go", path.Base(room) + "_gen.go"}, name, "method %s", found[1])
				seen++
			}
		}
	}
	require.Greater(t, seen, 200, "methods of functions")
}

var (
	calls   = regexp.MustCompile(`tasker\.([a-z_0-9]+)\(`)
	methods = regexp.MustCompile(`(?m)^func \(e \*(?:SqlFunctionExecutor|Functions)\) ([A-Z]\w+)\(`)
	words   = regexp.MustCompile(`([a-z0-9]|UUID|DAG|DLQ|GC)([A-Z])`)
)

// rooms returns the room of each function, such as kernel/move.
func rooms(t *testing.T) map[string]string {
	t.Helper()
	functions := map[string]string{}
	walk(t, "../../db/schema/functions", func(file, _ string) {
		functions[strings.TrimSuffix(filepath.Base(file), ".sql")] = roomOf(file)
	})
	return functions
}

// roomOf returns the layer and the room of a file in a room's folder, or in the room's folder private.
func roomOf(file string) string {
	dir := filepath.ToSlash(strings.TrimSuffix(filepath.Dir(file), string(filepath.Separator)+"private"))
	return path.Join(path.Base(path.Dir(dir)), path.Base(dir))
}

func glob(t *testing.T, pattern string) []string {
	t.Helper()
	paths, err := filepath.Glob(pattern)
	require.NoError(t, err)
	require.NotEmpty(t, paths, pattern)
	return paths
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(text)
}
