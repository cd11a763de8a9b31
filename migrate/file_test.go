package migrate_test

import (
	"io/fs"
	"testing"

	"github.com/amacneil/dbmate/v2/pkg/dbmate"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/db"
	"github.com/pgtasker/pgtasker/migrate"
)

func TestFiles_AreReadAsDbmateReadsThem(t *testing.T) {
	t.Parallel()
	names, err := fs.Glob(db.Migrations(), "*")
	require.NoError(t, err)
	require.NotEmpty(t, names)
	for _, name := range names {
		text, err := fs.ReadFile(db.Migrations(), name)
		require.NoError(t, err)
		up, down, err := migrate.Parts(name, string(text))
		require.NoError(t, err, name)

		file := dbmate.Migration{FileName: name, FilePath: name, FS: db.Migrations()}
		parts, err := file.Parse()
		require.NoError(t, err)
		require.Len(t, parts, 1, name)
		require.True(t, parts[0].UpOptions.Transaction() && parts[0].DownOptions.Transaction(), name)
		require.True(t, parts[0].Up == up && parts[0].Down == down, "%s: dbmate divides it elsewhere", name)
	}
}

func TestFiles_ThatWouldNeedMoreOfDbmateAreRefused(t *testing.T) {
	t.Parallel()
	const name = "20260101000001_a.sql"
	const one = `a migration has one line "-- migrate:up" and then one line "-- migrate:down"`
	for text, want := range map[string]string{
		"":                                 one,
		"-- migrate:up\n":                  one,
		"-- migrate:down\n-- migrate:up\n": one,
		"-- migrate:up transaction:false\n-- migrate:down\n":               one,
		"-- migrate:up\n-- migrate:down\n-- migrate:up\n-- migrate:down\n": one,
		"--migrate:up\n-- migrate:down\n":                                  one,
		"select 1;\n-- migrate:up\n-- migrate:down\n":                      `a statement precedes "-- migrate:up"`,
	} {
		_, _, err := migrate.Parts(name, text)
		require.EqualError(t, err, want, "%q", text)
	}
	_, _, err := migrate.Parts("20260101000001.sql", "-- migrate:up\n-- migrate:down\n")
	require.ErrorContains(t, err, "is not named <version>_<name>.sql")

	up, down, err := migrate.Parts(name, "-- What it is for.\n\n-- migrate:up\nselect 1;\n\n-- migrate:down\nselect 2;\n")
	require.NoError(t, err)
	require.Equal(t, "-- migrate:up\nselect 1;\n\n", up)
	require.Equal(t, "-- migrate:down\nselect 2;\n", down)
}
