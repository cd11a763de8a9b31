package tasklib_test

import (
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/tasklib"
)

// publicFunctions returns the functions of schema tasklib that some role may call.
func publicFunctions(t *testing.T) []string {
	t.Helper()
	rows, err := pgtest.New(t).Query(t.Context(), `
		select p.proname
		  from pg_catalog.pg_proc as p
		 where p.pronamespace = 'tasklib'::regnamespace
		   and exists (
		     select
		       from aclexplode(p.proacl) as a
		       join pg_catalog.pg_roles as r on r.oid = a.grantee
		      where r.rolname like 'tasklib\_%'
		   )
		 order by p.proname`)
	require.NoError(t, err)
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	require.NotEmpty(t, names)
	return names
}

func TestFunctions_HasOneMethodForEachPublicFunction(t *testing.T) {
	t.Parallel()
	var want, have []string
	for _, function := range publicFunctions(t) {
		var b strings.Builder
		for word := range strings.SplitSeq(function, "_") {
			if word == "id" {
				word = "ID"
			}
			b.WriteString(strings.ToUpper(word[:1]) + word[1:])
		}
		want = append(want, b.String())
	}
	slices.Sort(want)
	typ := reflect.TypeFor[*tasklib.Functions]()
	for i := range typ.NumMethod() {
		if name := typ.Method(i).Name; name != "WithTx" {
			have = append(have, name)
		}
	}
	require.Equal(t, want, have)
}

func TestPublicFunctions_HaveAFolderOfTests(t *testing.T) {
	t.Parallel()
	for _, function := range publicFunctions(t) {
		entries, err := os.ReadDir("../pgtap/tasklib/" + function)
		require.NoError(t, err, "pgtap/tasklib/%s", function)
		require.NotEmpty(t, entries, "pgtap/tasklib/%s", function)
	}
}
