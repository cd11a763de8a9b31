package layers_test

import (
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// reaches are the largest numbers of functions that a call may execute without passing a door. "go run
// ./internal/cmd/enginesize" prints the present numbers.
var reaches = map[string]int{"exchange_steps": 180, "create_task": 80}

func TestCalls_ReachNoMoreFunctionsThanAReaderCanFollow(t *testing.T) {
	t.Parallel()
	graph := today(t)
	for root, most := range reaches {
		require.LessOrEqual(t, len(graph.Reached(root)), most, root)
	}
	graph["exchange_steps"].Calls = append(slices.Clone(graph["exchange_steps"].Calls), "check_integrity", "orchestrate", "roll_up", "export_task")
	require.Greater(t, len(graph.Reached("exchange_steps")), reaches["exchange_steps"], "planted calls are counted")
}

// A move has about thirty columns. One function makes its row and names the columns, so a new column is added in one place.
func TestMoves_AreMadeInOnePlace(t *testing.T) {
	t.Parallel()
	var made, wide []string
	require.NoError(t, fs.WalkDir(os.DirFS("../../db/schema/functions"), ".", func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || path.Ext(file) != ".sql" {
			return err
		}
		text, err := os.ReadFile("../../db/schema/functions/" + file)
		if moveByPosition.Match(text) {
			made = append(made, path.Base(file))
		}
		if strings.Contains(file, "/private/") && len(argument.FindAll(text, -1)) > 12 {
			wide = append(wide, path.Base(file))
		}
		return err
	}))
	require.Equal(t, []string{"step_move.sql"}, made)
	require.Equal(t, []string{"step_move.sql"}, wide, "pass a row instead of more than twelve arguments")
}

var (
	moveByPosition = regexp.MustCompile(`\)::tasker\.step_moves\b[^\[]`)
	argument       = regexp.MustCompile(`(?m)^  p_\w+ +[a-z]`)
)
