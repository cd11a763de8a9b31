package pgtest

import (
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
)

// StepsRoleName is the role that SQL steps of tests run as. StepsRole creates it.
const StepsRoleName = "pgtest_steps"

// StepsRole creates the role [StepsRoleName] and grants it to tasker_owner, so that a test can bind it for SQL steps. Roles belong to the
// cluster, and other tests may create the role at the same time, so the tests take turns.
func StepsRole(t testing.TB, pool *pgxpool.Pool) {
	t.Helper()
	_, err := pool.Exec(t.Context(), `
		do $$
		begin
		  -- A table that all databases of the cluster share, and that nothing else locks so.
		  lock table pg_shseclabel in share row exclusive mode;
		  if to_regrole('pgtest_steps') is null then
		    create role pgtest_steps;
		  end if;
		  if not exists (
		    select from pg_auth_members as m where m.roleid = 'pgtest_steps'::regrole and m.member = 'tasker_owner'::regrole
		  ) then
		    grant pgtest_steps to tasker_owner;
		  end if;
		end;
		$$`)
	if err != nil {
		t.Fatalf("pgtest: creating the role of SQL steps: %v", err)
	}
}
