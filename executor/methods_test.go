package executor_test

import (
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgtest"
)

// publicFunctions returns the functions of schema tasker that some role may call.
func publicFunctions(t *testing.T) []string {
	t.Helper()
	pool := pgtest.New(t)
	rows, err := pool.Query(t.Context(), `
		select p.proname
		  from pg_catalog.pg_proc as p
		 where p.pronamespace = 'tasker'::regnamespace
		   and exists (
		     select
		       from aclexplode(p.proacl) as a
		       join pg_catalog.pg_roles as r on r.oid = a.grantee
		      where r.rolname like 'tasker\_%' and r.rolname <> 'tasker_owner'
		   )
		 order by p.proname`)
	require.NoError(t, err)
	defer rows.Close()
	var names []string
	for rows.Next() {
		var name string
		require.NoError(t, rows.Scan(&name))
		names = append(names, name)
	}
	require.NoError(t, rows.Err())
	require.NotEmpty(t, names)
	return names
}

// methodName is the Go name of a SQL function: get_current_task_state is GetCurrentTaskState.
func methodName(function string) string {
	var b strings.Builder
	for word := range strings.SplitSeq(function, "_") {
		switch word {
		case "uuid", "dag", "id", "dlq", "gc", "sql":
			b.WriteString(strings.ToUpper(word))
		default:
			b.WriteString(strings.ToUpper(word[:1]) + word[1:])
		}
	}
	return b.String()
}

func TestSqlFunctionExecutor_HasOneMethodForEachPublicFunction(t *testing.T) {
	t.Parallel()
	var want []string
	for _, function := range publicFunctions(t) {
		want = append(want, methodName(function))
	}
	slices.Sort(want)

	var have []string
	typ := reflect.TypeFor[*executor.SqlFunctionExecutor]()
	for i := range typ.NumMethod() {
		if name := typ.Method(i).Name; !slices.Contains(goOnly, name) {
			have = append(have, name)
		}
	}
	require.Equal(t, want, have)
}

// goOnly are the methods without a SQL function of their own: they combine others.
var goOnly = []string{"GetStepDependencyResultsMap", "NextLaterAt", "OrchestrateAs", "PageStepAuditHistory", "PageStepHistory", "PageSteps", "PageTaskAuditHistory", "PageTaskHistory", "WithReads"}

func TestPublicFunctions_HaveAFolderOfTests(t *testing.T) {
	t.Parallel()
	for _, function := range publicFunctions(t) {
		definitions, err := filepath.Glob("../db/schema/functions/*/*/" + function + ".sql")
		require.NoError(t, err)
		require.Len(t, definitions, 1, function)
		room, err := filepath.Rel("../db/schema/functions", filepath.Dir(definitions[0]))
		require.NoError(t, err)
		tests, err := filepath.Glob(filepath.Join("../pgtap", room, function, "*.sql"))
		require.NoError(t, err)
		require.NotEmpty(t, tests, "pgtap/%s/%s", room, function)
	}
}

func TestFunctionRegistry_IsTheClient(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	registry := (*executor.FunctionRegistry)(executor.NewClient(pool))

	states, err := registry.SQL().ListTaskStates(t.Context())
	require.NoError(t, err)
	require.Len(t, states, 12)
	ranges, err := registry.SystemHealth().ListPartitionRanges(t.Context())
	require.NoError(t, err)
	require.NotEmpty(t, ranges)
	value, err := registry.Analytics().GetSetting(t.Context(), "max_backoff_seconds")
	require.NoError(t, err)
	require.Equal(t, "60", value)
}
