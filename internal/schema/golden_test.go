package schema_test

import (
	"flag"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/schema"
	"github.com/pgtasker/pgtasker/internal/schema/schematest"
)

var update = flag.Bool("update", false, "write what the cases give into testdata instead of comparing")

// Package verify applies and undoes the migrations that each case composes. This test compares the text of the migrations of
// some cases, too.
func TestCompose_WritesTheMigrationsOfEachCase(t *testing.T) {
	t.Parallel()
	for _, c := range schematest.Cases(t, "testdata", "compose") {
		t.Run(filepath.Base(c.Dir), func(t *testing.T) {
			t.Parallel()
			changes, err := c.Compose(t)
			if err != nil {
				c.RequireWant(t, *update, map[string]string{"error.txt": err.Error() + "\n"})
				return
			}
			want := map[string]string{}
			for _, change := range changes {
				if change.Text == "" {
					want["removed.txt"] += change.Path + "\n"
				} else {
					want[change.Path] = change.Text
				}
			}
			if *update || c.HasWant() {
				c.RequireWant(t, *update, want)
			}

			composed := c.Changed(changes)
			again, err := composed.Compose(t)
			require.NoError(t, err)
			require.Empty(t, again, "composing again changes nothing")
			require.Empty(t, schema.Check(composed.Load(t), c.Releases), "what is composed passes the check")
		})
	}
}

func TestCompose_WritesTheInitialMigrationsAgain(t *testing.T) {
	t.Parallel()
	base := schematest.Base(t, "testdata")
	want := schematest.Migrations(base.Files)
	changes, err := base.With(map[string]string{foundation: "", jobs: ""}).Compose(t)
	require.NoError(t, err)
	got := map[string]string{}
	for _, change := range changes {
		got[change.Path] = change.Text
	}
	require.Equal(t, want, got)
}

func TestCheck_FindsNothingInATreeThatAgrees(t *testing.T) {
	t.Parallel()
	base := schematest.Base(t, "testdata")
	require.Empty(t, schema.Check(base.Load(t), nil))
	base.Release()
	require.Empty(t, schema.Check(base.Load(t), base.Releases))
}

func TestCheck_LeavesTablesToPeopleAfterTheFirstRelease(t *testing.T) {
	t.Parallel()
	const path = "db/schema/tables/jobs.sql"
	base := schematest.Base(t, "testdata")
	changed := base.With(map[string]string{path: strings.Replace(
		string(base.Files[path].Data), "touched_at  timestamptz,", "touched_at  timestamptz,\n  note        text,", 1)})
	require.Equal(t, []schema.Finding{{Path: path, Message: "differs from its newest copy in the migrations"}},
		schema.Check(changed.Load(t), nil))
	base.Release()
	require.Empty(t, schema.Check(changed.Load(t), base.Releases))
}

func TestCheck_FindsLinesThatLineReadersCannotTake(t *testing.T) {
	t.Parallel()
	comment := func(bytes int) string { return "-- " + strings.Repeat("x", bytes-3) + "\n" }
	base := schematest.Base(t, "testdata")
	c := base.With(map[string]string{
		"db/migrations/20260201000000_long.sql":     "-- migrate:up\n" + comment(65535) + "-- migrate:down\n",
		"db/migrations/20260201000100_too_long.sql": "-- migrate:up\n" + comment(65536) + "-- migrate:down\n",
		"db/schema/data/jobs.sql":                   string(base.Files["db/schema/data/jobs.sql"].Data) + comment(65536),
	})
	require.Equal(t, []schema.Finding{
		{Path: "db/migrations/20260201000100_too_long.sql", Line: 2, Message: "the line has 65536 bytes; 65535 is the limit"},
		{Path: "db/schema/data/jobs.sql", Line: 3, Message: "the line has 65536 bytes; 65535 is the limit"},
	}, schema.Check(c.Load(t), nil))
}

func TestCompose_RefusesATreeWithMistakes(t *testing.T) {
	t.Parallel()
	c := schematest.Base(t, "testdata").With(map[string]string{"db/schema/types/lane.sql": ""})
	var findings schema.Findings

	_, err := c.Compose(t)
	require.ErrorAs(t, err, &findings)

	c.Release()
	c.Name = "next"
	_, err = c.Compose(t)
	require.ErrorAs(t, err, &findings)
	require.EqualError(t, err, "db/schema/schema.sql: lists db/schema/types/lane.sql, which is not there")
}

func TestCompose_IsInitialBeforeTheFirstReleaseAndNamedAfterIt(t *testing.T) {
	t.Parallel()
	c := schematest.Base(t, "testdata")
	c.Name = "next"
	_, err := c.Compose(t)
	require.ErrorContains(t, err, "nothing is released yet")

	c.Release()
	for name, want := range map[string]string{
		"":         schema.ErrReleased.Error(),
		"Add-Jobs": `"Add-Jobs" is no name for a migration`,
	} {
		c.Name = name
		_, err = c.Compose(t)
		require.ErrorContains(t, err, want)
	}
}

func TestCompose_RefusesAVersionBelowTheNewest(t *testing.T) {
	t.Parallel()
	c := schematest.Base(t, "testdata").With(map[string]string{
		"db/migrations/20260301120000_taken.sql": "-- migrate:up\n\n-- migrate:down\n",
	})
	c.Release()
	c.Name = "next"
	_, err := c.Compose(t)
	require.ErrorContains(t, err, "db/migrations/20260301120000_taken.sql is of the future")
}
