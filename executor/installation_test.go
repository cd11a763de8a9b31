package executor_test

import (
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/internal/pgtest"
)

// finding returns the finding of one check.
func finding(t *testing.T, pool *pgxpool.Pool, name string) gen.InstallationFinding {
	t.Helper()
	findings, err := executor.New(pool).CheckInstallation(t.Context())
	require.NoError(t, err)
	for _, f := range findings {
		if f.Name == name {
			return f
		}
	}
	require.Failf(t, "no finding", "%s", name)
	return gen.InstallationFinding{}
}

func TestCheckInstallation_NamesTheSessionThatHoldsVacuumBack(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	require.NoError(t, pgx.BeginTxFunc(t.Context(), pool, pgx.TxOptions{IsoLevel: pgx.RepeatableRead}, func(tx pgx.Tx) error {
		_, err := tx.Exec(t.Context(), "select")
		require.NoError(t, err)
		holder := fmt.Sprintf("session %d of", tx.Conn().PgConn().PID())
		f := finding(t, pool, "snapshots")
		require.Contains(t, f.Message, holder)
		require.Equal(t, "ok", f.Status)

		// Each subtransaction that writes has a number of its own.
		_, err = pool.Exec(t.Context(), `
			create temporary table written (n integer);
			do $$
			begin
			  for i in 1..100000 loop
			    begin
			      insert into written values (i);
			    exception when out_of_memory then
			      raise;
			    end;
			  end loop;
			end;
			$$`)
		require.NoError(t, err)
		f = finding(t, pool, "snapshots")
		require.Contains(t, f.Message, holder)
		require.Equal(t, "warn", f.Status, f.Message)
		require.NotNil(t, f.Hint)
		return nil
	}))
}

func TestCheckInstallation_WarnsOfAnIsolationThatWorkersRefuse(t *testing.T) {
	t.Parallel()
	require.Equal(t, "ok", finding(t, pgtest.New(t), "isolation").Status)

	pool := pgtest.New(t, func(config *pgxpool.Config) {
		config.ConnConfig.RuntimeParams["default_transaction_isolation"] = "repeatable read"
	})
	f := finding(t, pool, "isolation")
	require.Equal(t, "warn", f.Status)
	require.Equal(t, "transactions begin in repeatable read", f.Message)
}
