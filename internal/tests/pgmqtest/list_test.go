package pgmqtest_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/tests/pgmqtest"
)

// TestOwn_HasWhatTheDocsList reads both tables of docs/queues.md: the functions of pgtasker's own pgmq, and the functions that
// only the extension has.
func TestOwn_HasWhatTheDocsList(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../../docs/queues.md")
	require.NoError(t, err)
	names := func(header string, column int) (names []string) {
		_, table, found := strings.Cut(string(text), header)
		require.True(t, found, "docs/queues.md has no table %q", header)
		_, table, _ = strings.Cut(table, "|\n") // the line below the header
		for line := range strings.Lines(table) {
			cells := strings.Split(line, "|")
			if len(cells) <= column {
				break
			}
			cell, _, _ := strings.Cut(cells[column], ":")
			for _, name := range regexp.MustCompile("`([a-z]+[a-z_]*)`").FindAllStringSubmatch(cell, -1) {
				names = append(names, name[1])
			}
		}
		return names
	}
	has := names("| for | functions |\n", 2)
	lacks := names("| only the extension has | its functions | pgtasker's own instead |\n", 2)

	rows, err := pgmqtest.NewOwn(t).Query(t.Context(), `
		select distinct p.proname::text from pg_proc as p where p.pronamespace = 'pgmq'::regnamespace and p.proname !~ '^_'`)
	require.NoError(t, err)
	own, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	require.ElementsMatch(t, own, has)
	require.Len(t, lacks, 21) // so that a table that was not read is no success
	require.Equal(t, []string{"create_partitioned"}, inBoth(own, lacks), "the function that both tables name")
}

func inBoth(a, b []string) (both []string) {
	for _, name := range b {
		for _, other := range a {
			if name == other {
				both = append(both, name)
			}
		}
	}
	return both
}
