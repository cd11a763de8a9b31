package pgdatabase

import (
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

func TestCreateMigrated_CopiesDoNotShareData(t *testing.T) {
	t.Parallel()
	databases := open(t, newSchema(t))
	table := pgx.Identifier{t.Name()}.Sanitize()
	first := createMigrated(t, databases)
	second := createMigrated(t, databases)

	_, err := connect(t, databases, first).Exec(t.Context(), `insert into `+table+` values (1)`)
	require.NoError(t, err)
	require.Zero(t, count(t, connect(t, databases, second), `select count(*) from `+table))
}

func TestCreateEmpty_HasNoTables(t *testing.T) {
	t.Parallel()
	databases := open(t, newSchema(t))
	name := createEmpty(t, databases)

	require.Zero(t, count(t, connect(t, databases, name),
		`select count(*) from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`))
}

func TestDrop_EndsOpenSessions(t *testing.T) {
	t.Parallel()
	databases := open(t, newSchema(t))
	name := createEmpty(t, databases)
	conn := connect(t, databases, name)

	require.NoError(t, databases.Drop(t.Context(), name))
	require.Error(t, conn.Ping(t.Context()))
	require.Zero(t, databaseCount(t, databases, name))
}

func TestVersion_IsANumberOnly(t *testing.T) {
	t.Parallel()
	version, err := open(t, newSchema(t)).Version(t.Context())
	require.NoError(t, err)
	require.Regexp(t, `^\d+(\.\d+|beta\d+|rc\d+|devel)$`, version)
}

func TestURL_KeepsTheServersParameters(t *testing.T) {
	t.Parallel()
	databases := open(t, newSchema(t))
	databases.server.User = nil
	databases.server.Host = "server:5433"
	databases.server.Path = "/postgres"
	databases.server.RawQuery = "sslmode=disable"

	require.Equal(t, "postgres://server:5433/mine?sslmode=disable", databases.URL("mine"))
}
