package growthtest_test

import (
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/pgtest"
)

// withPartman returns a pool of one connection, in another time zone and with another search_path, on a database with this
// version of pg_partman, or without it for "none". It skips the test if the server does not have that version.
func withPartman(t *testing.T, version string) *pgxpool.Pool {
	t.Helper()
	pool := pgtest.New(t, pgtest.MaxConns(1))
	installPartman(t, pool, version)
	exec(t, pool, `set timezone = 'America/New_York'`)
	exec(t, pool, `set search_path = somewhere_else, public`)
	return pool
}

func installPartman(t *testing.T, pool *pgxpool.Pool, version string) {
	t.Helper()
	if version == "none" {
		return
	}
	if !scan[bool](t, pool, `
		select exists (select from pg_available_extension_versions where name = 'pg_partman' and version = $1)`, version) {
		t.Skipf("this server has no pg_partman %s: make test-partman", version)
	}
	exec(t, pool, `create schema partman`)
	exec(t, pool, `create extension pg_partman schema partman version '`+version+`'`)
	exec(t, pool, `select tasker.adopt_pg_partman()`)
}

func TestManagers_MakeTheSameRangesAndSayWho(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ version, backend, reason string }{
		{"none", "builtin", "pg_partman is not installed in this database"},
		{"4.7.2", "builtin", "pg_partman 4.7.2 cannot partition by a uuid; 5.2 and newer can"},
		{"5.2.4", "pg_partman", "pg_partman 5.2.4 is installed in schema partman"},
	} {
		for _, unit := range []struct{ interval, first, second string }{
			{"1 month", "p20500101", "p20500201"},
			{"7 days", "p20500117", "p20500124"},
			{"1 day", "p20500120", "p20500121"},
			{"1 hour", "p20500120_110000", "p20500120_120000"},
		} {
			t.Run(c.version+", "+unit.interval, func(t *testing.T) {
				t.Parallel()
				pool := withPartman(t, c.version)
				e := direct.New(pool)
				exec(t, pool, `select tasker_test.start_year('2050-01-20 12:00+00', $1::text::interval, '21 days')`, unit.interval)
				exec(t, pool, `select tasker.drop_partition_range(starts_at) from tasker.partition_ranges`)

				status, err := e.SetupPartitioning(t.Context(), sqlfn.SetupPartitioningParams{Backend: "auto", Premake: 4})
				require.NoError(t, err)
				require.Equal(t, c.backend, status.Backend)
				require.Equal(t, c.reason, status.BackendReason)
				require.Empty(t, status.Problems)
				made, err := e.EnsurePartitions(t.Context())
				require.NoError(t, err)
				require.Zero(t, made)

				requireSound(t, pool)
				require.Equal(t, unit.first, scan[string](t, pool, `select min(n) from tasker_test.range_names() as n`))
				require.Contains(t, scan[[]string](t, pool, `select array_agg(n) from tasker_test.range_names() as n`), unit.second)
				if c.backend == "pg_partman" {
					tables := scan[int](t, pool, `
						select count(*)
						  from pg_class as c
						 where c.relkind = 'p'
						   and c.relnamespace = 'tasker'::regnamespace`)
					require.Equal(t, tables, scan[int](t, pool, `
						select count(*) from partman.part_config
						 where parent_table like 'tasker.%' and retention is null and automatic_maintenance = 'off'`))
				}
				require.Equal(t, "somewhere_else, public", scan[string](t, pool, `select current_setting('search_path')`))
				require.Equal(t, "America/New_York", scan[string](t, pool, `select current_setting('timezone')`))

				// Retention treats partitions of both managers in the same way. A held range stays, and the others are dropped.
				held := scan[string](t, pool, `select tasker_test.make_old_task('1 minute', 'pending')::text`)
				exec(t, pool, `select tasker_test.pass('60 days')`)
				maintain(t, e)
				require.Equal(t, "somewhere_else, public", scan[string](t, pool, `select current_setting('search_path')`))
				requireSound(t, pool)
				require.Equal(t, "pending", scan[string](t, pool, `select tasker.get_current_task_state($1)::text`, held))
				require.Equal(t, 1, scan[int](t, pool, `
					select count(*) from tasker.partition_ranges where ends_at < tasker.clock() - interval '21 days'`))
			})
		}
	}
}

func TestManagers_AreSwitchedOnAFilledDatabase(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t, pgtest.MaxConns(1))
	e := direct.New(pool)
	exec(t, pool, `select tasker_test.start_year('2050-01-20 12:00+00', '7 days', '90 days')`)
	exec(t, pool, `update tasker.partition_config set backend = 'auto'`)
	backend := func() string {
		t.Helper()
		exec(t, pool, `select tasker_test.pass('7 days')`)
		exec(t, pool, `select tasker_test.make_old_task('1 minute')`)
		made, err := e.EnsurePartitions(t.Context())
		require.NoError(t, err)
		require.Zero(t, made, "make_old_task has made the range ahead")
		requireSound(t, pool)
		status, err := e.PartitionStatus(t.Context())
		require.NoError(t, err)
		require.Zero(t, scan[int](t, pool, `
			select count(*)
			  from (select ends_at, lead(starts_at) over (order by starts_at) as next from tasker.partition_ranges) as r
			 where ends_at <> next`), "a hole")
		return status.Backend
	}
	require.Equal(t, "builtin", backend())

	installPartman(t, pool, "4.7.2")
	require.Equal(t, "builtin", backend())
	exec(t, pool, `alter extension pg_partman update to '5.2.4'`)
	exec(t, pool, `select tasker.adopt_pg_partman()`)
	require.Equal(t, "pg_partman", backend())

	status, err := e.SetupPartitioning(t.Context(), sqlfn.SetupPartitioningParams{Backend: "builtin"})
	require.NoError(t, err)
	require.Equal(t, "builtin", status.Backend)
	require.Equal(t, "builtin", backend())
	_, err = e.SetupPartitioning(t.Context(), sqlfn.SetupPartitioningParams{Backend: "pg_partman"})
	require.NoError(t, err)
	require.Equal(t, "pg_partman", backend())

	// The interval can be changed, too.
	_, err = e.SetupPartitioning(t.Context(), sqlfn.SetupPartitioningParams{PartitionInterval: "1 day", Premake: 10})
	require.NoError(t, err)
	for made := int32(1); made > 0; {
		made, err = e.EnsurePartitions(t.Context())
		require.NoError(t, err)
	}
	require.Equal(t, "pg_partman", backend())

	exec(t, pool, `drop extension pg_partman cascade`)
	require.Equal(t, "builtin", backend())
	status, err = e.PartitionStatus(t.Context())
	require.NoError(t, err)
	require.Equal(t, []string{"pg_partman is configured, but pg_partman is not installed in this database"}, status.Problems)
	require.Equal(t, 7, scan[int](t, pool, `select count(*) from tasker.tasks`), "every task is still there")
}

func TestManagers_WorkGoesOnWhenPartmanFails(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, harm, problem string }{
		{"it raises", `
			create or replace function partman.create_partition_time(p_parent_table text, p_partition_times timestamptz[], p_start_partition text default null) returns boolean
			language plpgsql as 'begin raise exception ''out of order''; end'`, "out of order"},
		{"it makes nothing", `
			create or replace function partman.create_partition_time(p_parent_table text, p_partition_times timestamptz[], p_start_partition text default null) returns boolean
			language sql as 'select true'`, "with bounds (none)"},
		{"its table has changed", `alter table partman.part_config add column more text not null`, "null value in column"},
		{"it may not be used", `revoke all on partman.part_config from tasker_owner`, ""},
		{"its schema is closed", `revoke usage on schema partman from tasker_owner`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			pool := withPartman(t, "5.2.4")
			e := direct.New(pool)
			exec(t, pool, c.harm)
			exec(t, pool, `select tasker_test.start_year('2050-01-20 12:00+00', '7 days', '90 days')`)
			exec(t, pool, `update tasker.partition_config set backend = 'auto', premake = 3`)

			made, err := e.EnsurePartitions(t.Context())
			require.NoError(t, err)
			require.EqualValues(t, 1, made)
			requireSound(t, pool)
			require.Equal(t, "somewhere_else, public", scan[string](t, pool, `select current_setting('search_path')`))
			status, err := e.PartitionStatus(t.Context())
			require.NoError(t, err)
			if c.problem == "" {
				require.Equal(t, "builtin", status.Backend)
				require.Contains(t, status.BackendReason, "tasker.adopt_pg_partman()")
				return
			}
			require.Len(t, status.Problems, 1)
			require.Contains(t, status.Problems[0], c.problem)
		})
	}
}
