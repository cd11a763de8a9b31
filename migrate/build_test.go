package migrate_test

import (
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/db"
	_ "github.com/pgtasker/pgtasker/executor" // sets the variables of kin
	"github.com/pgtasker/pgtasker/internal/kin"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/migrate"
)

// otherBuild returns a database that another build migrated under the same versions: a function has another text.
func otherBuild(t *testing.T) *pgxpool.Pool {
	t.Helper()
	files := fstest.MapFS{}
	require.NoError(t, fs.WalkDir(db.Migrations(), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := fs.ReadFile(db.Migrations(), name)
		// Composed as internal/cmd/schema would: the text of a file and its digest are others.
		line := "functions/kernel/claim/heartbeat_worker "
		if before, after, found := strings.Cut(string(text), line); found {
			text = []byte(before + line + "0123456789abcdef" + after[16:])
		}
		files[name] = &fstest.MapFile{Data: text}
		return err
	}))
	pool := pgtest.NewEmpty(t)
	require.NoError(t, migrate.UpFrom(t.Context(), pool, files))
	return pool
}

func TestUp_RefusesADatabaseOfAnotherBuild(t *testing.T) {
	t.Parallel()
	pool := otherBuild(t)
	err := migrate.Up(t.Context(), pool)
	require.ErrorIs(t, err, migrate.ErrOtherBuild)
	require.ErrorContains(t, err, "1 files of db/schema differ (functions/kernel/claim/heartbeat_worker); make it again")
	names, err := migrate.Differences(t.Context(), pool)
	require.NoError(t, err)
	require.Equal(t, []string{"functions/kernel/claim/heartbeat_worker"}, names)
	require.ErrorIs(t, kin.CheckBuild(t.Context(), pool), kin.ErrOtherBuild)
}

func TestUp_RefusesADatabaseThatDoesNotSayWhatItWasMadeOf(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	require.NoError(t, kin.CheckBuild(t.Context(), pool))
	_, err := pool.Exec(t.Context(), `drop function tasker.list_schema_builds(); drop function tasker.schema_build(text); drop table tasker.schema_builds`)
	require.NoError(t, err)
	require.ErrorIs(t, kin.CheckBuild(t.Context(), pool), kin.ErrOtherBuild)
	require.ErrorIs(t, migrate.Up(t.Context(), pool), migrate.ErrOtherBuild)
}

// Half of the migrations, and those of a newer program, are no other build.
func TestDifferences_AreOfTheSameVersionsOnly(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	_, err := pool.Exec(t.Context(), `insert into tasker.schema_builds values ('99991231000000', E'functions/of_the_future 0123456789abcdef\n');
		insert into tasker_meta.schema_migrations values ('99991231000000')`)
	require.NoError(t, err)
	names, err := migrate.Differences(t.Context(), pool)
	require.NoError(t, err)
	require.Empty(t, names)
	require.ErrorIs(t, kin.CheckBuild(t.Context(), pool), kin.ErrNewerBuild)
	require.ErrorContains(t, kin.CheckBuild(t.Context(), pool), `its newest migration is "99991231000000"`)

	half := pgtest.NewEmpty(t)
	for n := 3; n > 0; n-- {
		require.NoError(t, migrate.Up(t.Context(), half))
		require.NoError(t, migrate.Down(t.Context(), half, 1<<n))
		names, err = migrate.Differences(t.Context(), half)
		require.NoError(t, err)
		require.Empty(t, names)
	}
	late := pgtest.New(t)
	require.NoError(t, migrate.Down(t.Context(), late, 1))
	require.ErrorIs(t, kin.CheckBuild(t.Context(), late), kin.ErrOlderBuild)
}
