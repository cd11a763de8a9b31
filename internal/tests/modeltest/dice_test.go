package modeltest

import (
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"
)

// throwOften makes a random choice of the engine more frequent. Half of the claims fire a timer of another namespace before
// they take steps, while normally every twentieth claim does so. Therefore a model that ignores such timers fails at once, and
// not in one run of twenty.
func throwOften(t *testing.T, pool *pgxpool.Pool) {
	t.Helper()
	_, err := pool.Exec(t.Context(), `
		do $do$
		declare
		  v_claim text;
		  v_often text;
		begin
		  select pg_get_functiondef(p.oid) into strict v_claim from pg_proc as p where p.pronamespace = 'tasker'::regnamespace and p.proname = 'claim';
		  v_often := replace(v_claim, 'random() < 0.05', 'random() < 0.5');
		  assert v_often <> v_claim;
		  execute v_often;
		end;
		$do$;
		select from tasker.note_objects()`)
	require.NoError(t, err)
}
