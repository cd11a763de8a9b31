package schema_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/schema"
	"github.com/pgtasker/pgtasker/internal/schema/schematest"
)

func TestListFiles_ListsANewFileAfterTheLastOneOfItsFolder(t *testing.T) {
	t.Parallel()
	const page = "db/schema/schema.sql"
	base := schematest.Base(t, "testdata")
	listed := func(changes map[string]string) string {
		changed, err := schema.ListFiles(base.With(changes).Files)
		require.NoError(t, err)
		if len(changed) == 0 {
			return string(base.Files[page].Data)
		}
		require.Len(t, changed, 1)
		require.Equal(t, page, changed[0].Path)
		return changed[0].Text
	}
	with := func(old, line string) string {
		text := string(base.Files[page].Data)
		require.Contains(t, text, old)
		return strings.Replace(text, old, line, 1)
	}
	last := `\ir functions/job/` + lastOf(t, string(base.Files[page].Data), `\ir functions/job/`) + "\n"
	const made = "create or replace function tasker.made()\n"

	require.Equal(t, string(base.Files[page].Data), listed(nil), "nothing is missing")
	require.Equal(t, with(last, last+"\\ir functions/job/aa.sql\n"), listed(map[string]string{"db/schema/functions/job/aa.sql": made}))
	require.Equal(t, with(last, last+"\\ir functions/job/private/aa.sql\n"),
		listed(map[string]string{"db/schema/functions/job/private/aa.sql": made}), "a private function stands in its room")
	require.Equal(t, with(`\ir types/lane.sql`, `\ir functions/job/lane.sql`),
		listed(map[string]string{"db/schema/types/lane.sql": "", "db/schema/functions/job/lane.sql": made}), "a moved file keeps its place")
	require.Equal(t, with("\\ir types/lane.sql\n", ""), listed(map[string]string{"db/schema/types/lane.sql": ""}))
	require.Equal(t, string(base.Files[page].Data), listed(map[string]string{"db/schema/functions/new_room/aa.sql": made}), "people choose the section of a new room")
}

// lastOf returns the text after a prefix in the last line that begins with the prefix.
func lastOf(t *testing.T, text, prefix string) (rest string) {
	t.Helper()
	for line := range strings.Lines(text) {
		if after, ok := strings.CutPrefix(line, prefix); ok {
			rest = strings.TrimSpace(after)
		}
	}
	require.NotEmpty(t, rest)
	return rest
}
