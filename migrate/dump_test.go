package migrate_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/catalog"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/migrate"
)

func TestDump_DoesWhatUpDoes(t *testing.T) {
	t.Parallel()
	migrated := pgtest.NewEmpty(t)
	require.NoError(t, migrate.Up(t.Context(), migrated))

	var script bytes.Buffer
	require.NoError(t, migrate.Dump(&script))
	pool := pgtest.NewEmpty(t)
	conn, err := pool.Acquire(t.Context())
	require.NoError(t, err)
	defer conn.Release()
	_, err = conn.Conn().PgConn().Exec(t.Context(), script.String()).ReadAll()
	require.NoError(t, err)

	require.Empty(t, catalog.Diff(snapshot(t, migrated), snapshot(t, pool)))
	requireAllApplied(t, pool)
}

func TestDump_ReturnsTheWritersError(t *testing.T) {
	t.Parallel()
	full := errors.New("no space left")
	require.ErrorIs(t, migrate.Dump(failing{full}), full)
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }
